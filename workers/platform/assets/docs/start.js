window.ui = SwaggerUIBundle({
	url: "/openapi.json",
	dom_id: "#reference",
	deepLinking: true,
	displayRequestDuration: true,
	docExpansion: "list",
	filter: true,
	persistAuthorization: true,
	tryItOutEnabled: true,
	// The default validates on a host outside.
	validatorUrl: null,
});

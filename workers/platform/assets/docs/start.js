import { createApiReference } from "./scalar/standalone.esm.js";

createApiReference("#reference", {
	url: "/openapi.json",
	authentication: { preferredSecurityScheme: "bearer" },
	// Nothing is requested from, or sent to, any other host.
	withDefaultFonts: false,
	telemetry: false,
	agent: { disabled: true },
	mcp: { disabled: true },
	hideClientButton: true,
	showDeveloperTools: "never",
	// A key typed here is gone when the page is.
	persistAuth: false,
	documentDownloadType: "direct",
	orderSchemaPropertiesBy: "preserve",
});

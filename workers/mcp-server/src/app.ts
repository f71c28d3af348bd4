import { createApp } from "@parley/http/app";
import { agentRoutes } from "./agent/agent.routes.ts";
import { plane } from "./context.ts";
import { managementRoutes } from "./management/management.routes.ts";
import { consentRoutes } from "./oauth/consent.routes.ts";
import { describeResource, serveOAuth, startAuthorization } from "./oauth/oauth.routes.ts";
import { addChallenge } from "./protocol/challenge.ts";
import { checkOrigin } from "./protocol/origin.ts";

export const app = createApp<Env>(
	{
		plane,
		title: "Parley MCP servers",
		description: "Endpoints for MCP clients (streamable HTTP, stateless).",
		tags: {
			MCP: "Endpoints for MCP clients: one per agent, one for management. Any client that speaks streamable HTTP connects with a URL and a key.",
			Applications:
				"Access of applications, which a person gives by OAuth instead of a key. It is bound to one MCP endpoint.",
		},
		middleware: [addChallenge, checkOrigin],
	},
	[managementRoutes, agentRoutes, consentRoutes],
);

app.get("/.well-known/oauth-protected-resource", describeResource);
app.get("/.well-known/oauth-protected-resource/*", describeResource);
app.get("/.well-known/oauth-authorization-server", serveOAuth);
app.get("/oauth/authorize", startAuthorization);
for (const path of ["/oauth/token", "/oauth/register"]) app.on(["POST", "OPTIONS"], path, serveOAuth);

import { VERSION } from "@parley/contracts/shared/version";
import { createApp } from "@parley/http/app";
import { batchPlane, platformPlane } from "@parley/http/planes/planes";
import { accountRoutes } from "./account/account.routes.ts";
import { catalogRoutes } from "./catalog/catalog.routes.ts";
import { doorRoutes } from "./console/doors/doors.routes.ts";
import { localSignIn } from "./console/local-sign-in-middleware.ts";
import { sessionRoutes } from "./console/session.routes.ts";
import { deploymentRoutes } from "./deployment/deployment.routes.ts";
import { serveConsole, serveConsoleFile } from "./front-door/console.ts";
import { forward, probePlane, serveAsset } from "./front-door/forward.ts";
import { getDocsPage, getGuide, getReference } from "./front-door/reference.routes.ts";
import { keysRoutes } from "./keys/keys.routes.ts";
import { regionMiddleware } from "./regions/region-middleware.ts";

import { openAiRoutes } from "./speech/openai.routes.ts";
import { speechRoutes } from "./speech/speech.routes.ts";
import { streamsRoutes } from "./streams/streams.routes.ts";
import { usageRoutes } from "./usage/usage.routes.ts";
import { usersRoutes } from "./users/users.routes.ts";

export const app = createApp<Env>(
	{
		plane: platformPlane,
		mounts: { "/v1/batch/": batchPlane },
		title: "Parley platform API",
		description: "Account, API keys, model catalog and speech.",
		tags: {
			Account: "The organisation of an API key, and what it has used.",
			Console: "Sign-in of people in a browser. The session's cookie is accepted wherever an API key is.",
			People:
				"People of the organisation. Each has a role and signs in to the console with an e-mail address.",
			Keys: "API keys of the organisation. Each has scopes and may expire.",
			Catalog: "Models that this deployment offers, with their languages, features, regions and prices.",
			Speech: "Transcription of recordings and live streams, and speech from text, while the caller waits.",
			OpenAI: "Endpoints for OpenAI's clients, which need only another base URL and key.",
		},
		middleware: [regionMiddleware, localSignIn],
		reference: false,
		probes: (env) => ({
			agents: () => probePlane(env.AGENTS),
			mcp: () => probePlane(env.MCP_SERVER),
			batch: () => probePlane(env.BATCH),
		}),
	},
	[
		accountRoutes,
		usageRoutes,
		deploymentRoutes,
		keysRoutes,
		sessionRoutes,
		doorRoutes,
		usersRoutes,
		catalogRoutes,
		speechRoutes,
		streamsRoutes,
		openAiRoutes,
	],
);

app.use(serveConsole);
for (const path of ["/assets/*", "/theme.js", "/icon.svg"]) app.get(path, serveConsoleFile);
app.get("/", (c) =>
	c.json({ name: "Parley", version: VERSION, docs: "/docs", openapi: "/openapi.json", health: "/health" }),
);
app.get("/openapi.json", (c) => getReference(c, app.describe()));
app.get("/docs", getDocsPage);
app.get("/docs/guides", getGuide);
app.get("/docs/guides/*", getGuide);
app.get("/docs/*", (c) => serveAsset(c));
for (const path of ["/v1/mcp", "/v1/oauth/*", "/oauth/*", "/.well-known/*"])
	app.all(path, (c) => forward(c, "MCP_SERVER"));
app.all("/v1/agents/:agent_id/mcp", (c) => forward(c, "MCP_SERVER"));
app.all("/v1/agents", (c) => forward(c, "AGENTS"));
app.all("/v1/agents/*", (c) => forward(c, "AGENTS"));
app.all("/v1/batch/*", (c) => forward(c, "BATCH"));

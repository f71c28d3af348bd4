import { createApp } from "@parley/http/app";
import { toErrorResponse } from "@parley/http/errors";
import type { Plane } from "@parley/http/plane";
import { batchPlane, platformPlane } from "@parley/http/planes";
import { accountRoutes } from "./account/account.routes.ts";
import { catalogRoutes } from "./catalog/catalog.routes.ts";
import { forward, probePlane } from "./front-door/forward.ts";
import { getDocsPage, getReference } from "./front-door/reference.routes.ts";
import { keysRoutes } from "./keys/keys.routes.ts";
import { regionMiddleware } from "./regions/region-middleware.ts";

import { openAiRoutes } from "./speech/openai.routes.ts";
import { speechRoutes } from "./speech/speech.routes.ts";
import { streamsRoutes } from "./streams/streams.routes.ts";
import { usageRoutes } from "./usage/usage.routes.ts";

export const app = createApp<Env>(
	{
		plane: platformPlane,
		title: "Parley platform API",
		version: "1.0.0",
		description: "Account, API keys, model catalog and speech endpoints.",
		tags: {
			Account: "Whose a key is, and what was used",
			Keys: "API keys of the organisation",
			Catalog: "The models that this deployment offers",
			Speech: "Recordings, streams and voices, answered at once",
			OpenAI: "What clients of OpenAI call, answered as they expect",
		},
		middleware: [regionMiddleware],
		reference: false,
		probes: (env) => ({ agents: () => probePlane(env.AGENTS), batch: () => probePlane(env.BATCH) }),
	},
	[accountRoutes, usageRoutes, keysRoutes, catalogRoutes, speechRoutes, streamsRoutes, openAiRoutes],
);

app.get("/", (c) => c.json({ name: "Parley", docs: "/docs", openapi: "/openapi.json", health: "/health" }));
app.get("/openapi.json", (c) => getReference(c, app.describe()));
app.get("/docs", getDocsPage);
app.all("/v1/agents", (c) => forward(c, "AGENTS"));
app.all("/v1/agents/*", (c) => forward(c, "AGENTS"));
app.all("/v1/batch/*", (c) => forward(c, "BATCH"));

/** What the front door itself refuses of a batch request looks as the batch API's own refusals do. */
const batchDoor: Plane = { ...platformPlane, render: batchPlane.render };
app.onError((error, c) => {
	const plane = c.req.path.startsWith("/v1/batch/") ? batchDoor : platformPlane;
	return toErrorResponse(plane, error, c.get("requestId"));
});

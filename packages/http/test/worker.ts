import { z } from "zod";
import { createApp } from "../src/app.ts";
import type { VerbContext } from "../src/context.ts";
import type { BaseEnv } from "../src/plane.ts";
import { agentsPlane } from "../src/planes.ts";
import { createRouter } from "../src/router.ts";

const notes = createRouter<BaseEnv, VerbContext<BaseEnv>>(agentsPlane, (base) => base);

const Note = z.strictObject({ text: z.string(), extra: z.unknown().optional() }).meta({ id: "Note" });

notes.route(
	{
		method: "get",
		path: "/v1/notes/{name}",
		operationId: "getNote",
		summary: "A note",
		tag: "Notes",
		access: "tools:read",
		etag: true,
		params: z.object({ name: z.string() }),
		response: Note,
	},
	({ params }) => ({ text: params.name }),
);

notes.route(
	{
		method: "post",
		path: "/v1/notes/echo",
		operationId: "echoNote",
		summary: "The note that was sent",
		tag: "Notes",
		access: "tools:write",
		body: Note,
		response: Note,
	},
	({ body }) => body,
);

const app = createApp<BaseEnv>(
	{ plane: agentsPlane, title: "Test", version: "1.0.0", description: "A test" },
	[notes],
);

export default { fetch: app.fetch } satisfies ExportedHandler<BaseEnv>;

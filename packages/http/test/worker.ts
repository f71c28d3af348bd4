import type { VerbContext } from "@parley/context/verb-context";
import { ApiError } from "@parley/contracts/shared/api-error";
import { z } from "zod";
import { createApp } from "../src/app.ts";
import type { BaseEnv } from "../src/base-env.ts";
import { agentsPlane } from "../src/planes/planes.ts";
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

notes.route(
	{
		method: "post",
		path: "/v1/notes/{name}/run",
		operationId: "runNote",
		summary: "Does something costly",
		tag: "Notes",
		access: "tools:run",
		rate: "run",
		params: z.object({ name: z.string() }),
		query: z.strictObject({ later: z.stringbool().optional() }),
		response: Note,
		otherResponses: {
			202: { description: "It runs later", content: { "application/json": { schema: Note } } },
		},
		location: "/v1/notes/{text}",
	},
	({ params, query, reply }) => {
		const note = { text: params.name };
		return query.later ? reply(202, note, { "retry-after": "3" }) : note;
	},
);

notes.route(
	{
		method: "get",
		path: "/v1/board",
		operationId: "getBoard",
		summary: "What everyone may see",
		tag: "Notes",
		access: "open",
		response: z.object({ known: z.boolean() }),
	},
	({ ctx }) => ({ known: ctx.actor !== undefined }),
);

/** Writes by text, and a gate that blocks the writing of `slow`. */
export const writes = new Map<string, number>();
export const gate: { opened: Promise<void> } = { opened: Promise.resolve() };

notes.route(
	{
		method: "post",
		path: "/v1/notes",
		operationId: "createNote",
		summary: "A new note",
		tag: "Notes",
		access: "tools:write",
		idempotent: { redact: (note) => ({ ...(note as object), token: null }) },
		status: 201,
		location: "/v1/notes/{text}",
		body: Note,
		response: z.object({ text: z.string(), count: z.int(), token: z.string().nullable() }),
		errors: ["TOOL_NAME_CONFLICT", "AGENT_LOCKED"],
	},
	async ({ body: { text } }) => {
		const count = (writes.get(text) ?? 0) + 1;
		writes.set(text, count);
		if (text.startsWith("slow")) await gate.opened;
		if (text.startsWith("taken")) throw new ApiError("TOOL_NAME_CONFLICT", `The name ${text} is taken`);
		if (text.startsWith("locked") && count === 1) throw new ApiError("AGENT_LOCKED", "Locked");
		if (text.startsWith("broken") && count === 1) throw new Error("A fault of the handler");
		return { text, count, token: "shown once" };
	},
);

export const app = createApp<BaseEnv>({ plane: agentsPlane, title: "Test", description: "A test" }, [notes]);

export { RateLimiter } from "../src/rate-limit/rate-limiter.ts";
export default { fetch: app.fetch } satisfies ExportedHandler<BaseEnv>;

import { CreatedKey, CreateKey, Key, KeysQuery } from "@parley/contracts/platform/keys";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createPlatformRouter } from "../context.ts";
import { createKey, deleteKey, getKey, listKeys } from "./keys.service.ts";

export const keysRoutes = createPlatformRouter();

keysRoutes.route(
	{
		method: "post",
		path: "/v1/keys",
		operationId: "createKey",
		summary: "Create an API key",
		description:
			"Returns the key. It is shown only here, so store it at once. A key can give no scope that it lacks itself. " +
			"An agent key (`family: agent`) is bound to one agent, reaches only the runtime API of that agent, and ends with it.",
		tag: "Keys",
		access: "keys:manage",
		body: CreateKey,
		status: 201,
		location: "/v1/keys/{id}",
		response: CreatedKey,
		idempotent: { redact: (answer) => ({ ...(answer as CreatedKey), key: null }) },
	},
	({ ctx, body }) => createKey(ctx, body),
);

keysRoutes.route(
	{
		method: "get",
		path: "/v1/keys",
		operationId: "listKeys",
		summary: "List API keys",
		description: "Returns the organisation's live keys in order of their label.",
		tag: "Keys",
		access: "keys:manage",
		query: KeysQuery,
		response: z.array(Key),
	},
	({ ctx, query }) => listKeys(ctx, query),
);

keysRoutes.route(
	{
		method: "get",
		path: "/v1/keys/{key_id}",
		operationId: "getKey",
		summary: "Get an API key",
		description: "Returns what lists show of a key, never the key itself.",
		tag: "Keys",
		access: "keys:manage",
		params: z.object({ key_id: Uuid }),
		response: Key,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getKey(ctx, params.key_id),
);

keysRoutes.route(
	{
		method: "delete",
		path: "/v1/keys/{key_id}",
		operationId: "deleteKey",
		summary: "Revoke an API key",
		description: "Revokes the key. It stops working everywhere within ten seconds, on open streams too.",
		tag: "Keys",
		access: "keys:manage",
		params: z.object({ key_id: Uuid }),
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => deleteKey(ctx, params.key_id),
);

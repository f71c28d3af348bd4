import { Uuid } from "@parley/contracts/common";
import {
	CreateTool,
	DuplicateTool,
	PublishResult,
	Tool,
	ToolListItem,
	ToolQuery,
	ToolUsage,
	UpdateTool,
} from "@parley/contracts/tools";
import { z } from "zod";
import { createAgentsRouter } from "../context.ts";
import { introspectTool } from "./builds/build-tool.ts";
import { createTool } from "./create-tool.ts";
import { deleteTool } from "./delete-tool.ts";
import { duplicateTool } from "./duplicate-tool.ts";
import { getTool, getToolUsage, listTools } from "./tools.service.ts";
import { updateTool } from "./update-tool.ts";
import { publishTool } from "./versions/publish-tool.ts";

export const toolsRoutes = createAgentsRouter();

const tag = "Tools";
const params = z.object({ tool_id: Uuid });
const OWN_TOOL_ERRORS = ["RESOURCE_NOT_FOUND", "TOOL_READ_ONLY"] as const;

toolsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/tools",
		operationId: "listTools",
		summary: "List the organisation's tools and the curated ones, by name",
		tag,
		access: "tools:read",
		query: ToolQuery,
		response: z.array(ToolListItem),
	},
	({ ctx, query }) => listTools(ctx, query),
);

toolsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/tools",
		operationId: "createTool",
		summary: "Create a tool",
		description:
			"Of `send_sms`, `transfer_call` and `end_call` an organisation has one instance: asking for another answers the one that there is.",
		tag,
		access: "tools:write",
		body: CreateTool,
		status: 201,
		location: "/v1/agents/tools/{id}",
		response: Tool,
		errors: ["TOOL_TYPE_NOT_CREATABLE", "FEATURE_DISABLED", "TOOL_NAME_CONFLICT"],
		idempotent: true,
	},
	({ ctx, body }) => createTool(ctx, body),
);

toolsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/tools/{tool_id}",
		operationId: "getTool",
		summary: "Get a tool",
		tag,
		access: "tools:read",
		params,
		response: Tool,
		errors: ["RESOURCE_NOT_FOUND"],
		etag: true,
	},
	({ ctx, params }) => getTool(ctx, params.tool_id),
);

toolsRoutes.route(
	{
		method: "patch",
		path: "/v1/agents/tools/{tool_id}",
		operationId: "updateTool",
		summary: "Change a tool's draft",
		tag,
		access: "tools:write",
		params,
		body: UpdateTool,
		response: Tool,
		errors: [...OWN_TOOL_ERRORS, "TOOL_NAME_CONFLICT", "REVISION_CONFLICT"],
		etag: true,
	},
	({ ctx, params, body }) => updateTool(ctx, params.tool_id, body),
);

toolsRoutes.route(
	{
		method: "delete",
		path: "/v1/agents/tools/{tool_id}",
		operationId: "deleteTool",
		summary: "Delete a tool",
		description:
			"An active agent that holds the tool blocks the deletion. Inactive agents keep their pinned version and show the tool " +
			"as deleted.",
		tag,
		access: "tools:write",
		params,
		errors: [...OWN_TOOL_ERRORS, "TOOL_DELETE_BLOCKED", "REVISION_CONFLICT"],
		etag: true,
	},
	({ ctx, params }) => deleteTool(ctx, params.tool_id),
);

toolsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/tools/{tool_id}/duplicate",
		operationId: "duplicateTool",
		summary: "Make a draft with the content of a tool, curated or not",
		tag,
		access: "tools:write",
		params,
		body: DuplicateTool.prefault({}),
		status: 201,
		location: "/v1/agents/tools/{id}",
		response: Tool,
		errors: ["RESOURCE_NOT_FOUND", "FEATURE_DISABLED", "TOOL_NAME_CONFLICT"],
		idempotent: true,
	},
	({ ctx, params, body }) => duplicateTool(ctx, params.tool_id, body),
);

toolsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/tools/{tool_id}/introspect",
		operationId: "introspectTool",
		summary: "Build a code tool and read its arguments off the source",
		description:
			"A build that takes long goes on in the background: the answer then shows `build.state` as `building`, and so does " +
			"every answer until it is `built` or `failed`. Tools of other types are answered as they are.",
		tag,
		access: "tools:write",
		rate: "run",
		params,
		response: Tool,
		errors: [...OWN_TOOL_ERRORS, "FEATURE_DISABLED"],
		idempotent: true,
	},
	({ ctx, params }) => introspectTool(ctx, params.tool_id),
);

toolsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/tools/{tool_id}/publish",
		operationId: "publishTool",
		summary: "Publish the present content as a version",
		description: "Content that some version holds already answers that version's number and makes nothing.",
		tag,
		access: "tools:publish",
		params,
		response: PublishResult,
		otherResponses: {
			409: {
				description: "A check failed; nothing was published",
				content: { "application/json": { schema: PublishResult } },
			},
		},
		errors: [...OWN_TOOL_ERRORS, "REVISION_CONFLICT"],
		idempotent: true,
	},
	async ({ ctx, params, reply }) => {
		const result = await publishTool(ctx, params.tool_id);
		return result.published ? result : reply(409, result);
	},
);

toolsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/tools/{tool_id}/usage",
		operationId: "getToolUsage",
		summary: "Which agents hold a tool, in which attachments, at which versions",
		tag,
		access: "tools:read",
		params,
		response: z.array(ToolUsage),
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getToolUsage(ctx, params.tool_id),
);

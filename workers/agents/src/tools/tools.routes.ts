import {
	CreateTool,
	DuplicateTool,
	PublishResult,
	PublishTool,
	Tool,
	ToolListItem,
	ToolQuery,
	ToolUsage,
	UpdateTool,
} from "@parley/contracts/agents/tools";
import { Uuid } from "@parley/contracts/shared/common";
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
		summary: "List own and curated tools",
		description: "Lists the organisation's tools and the curated ones, ordered by name then id.",
		tag,
		access: "tools:read",
		mcp: true,
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
			"Creates a draft. An organisation has one instance each of `send_sms`, `transfer_call` and `end_call`: creating another " +
			"returns the existing one unchanged. Tools of the other curated types are made by duplicating a curated tool.",
		tag,
		access: "tools:write",
		mcp: true,
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
		description:
			"Returns the draft of a tool with its gates. Curated tools have `source` `curated` and are read-only.",
		tag,
		access: "tools:read",
		mcp: true,
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
		summary: "Update a tool's draft",
		description:
			"Omitted fields stay unchanged; `config` is replaced as a whole and must be of the tool's type. Published versions do " +
			"not change.",
		tag,
		access: "tools:write",
		mcp: true,
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
		summary: "Duplicate a tool",
		description:
			"Creates a draft with the content of another tool, curated or not. It has no versions and no runs. Without a `name`, it " +
			"is called `<name>_copy`.",
		tag,
		access: "tools:write",
		mcp: true,
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
		summary: "Build a code tool",
		description:
			"Installs the dependencies and reads `arg_schema` from the source. A build that takes more than a few seconds " +
			"continues in the background: `build.state` stays `building` until it becomes `built` or `failed`. Tools of other " +
			"types are returned unchanged.",
		tag,
		access: "tools:write",
		mcp: { idempotentHint: true },
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
		summary: "Publish a tool's current content",
		description:
			"Creates the next version if every gate of the type passes. If this content is already published, returns the " +
			"existing version. With `require_cases`, every test case must have passed on this content.",
		tag,
		access: "tools:publish",
		mcp: { idempotentHint: true },
		params,
		body: PublishTool.prefault({}),
		response: PublishResult,
		otherResponses: {
			409: {
				description: "A gate failed, so nothing was published",
				content: { "application/json": { schema: PublishResult } },
			},
		},
		errors: [...OWN_TOOL_ERRORS, "REVISION_CONFLICT"],
		idempotent: true,
	},
	async ({ ctx, params, body, reply }) => {
		const result = await publishTool(ctx, params.tool_id, body);
		return result.published ? result : reply(409, result);
	},
);

toolsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/tools/{tool_id}/usage",
		operationId: "getToolUsage",
		summary: "List a tool's attachments",
		description:
			"Lists the live agents that have the tool attached, with the pinned version of each attachment.",
		tag,
		access: "tools:read",
		mcp: true,
		params,
		response: z.array(ToolUsage),
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getToolUsage(ctx, params.tool_id),
);

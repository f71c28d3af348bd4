import { ToolVersion, ToolVersionItem, ToolVersionQuery } from "@parley/contracts/agents/tools";
import { Uuid, versionNumber } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { getToolVersion, listToolVersions } from "./tool-versions.service.ts";

export const toolVersionsRoutes = createAgentsRouter();

const tool_id = Uuid;

toolVersionsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/tools/{tool_id}/versions",
		operationId: "listToolVersions",
		summary: "List a tool's versions",
		description: "Newest first. The list leaves out the snapshots.",
		tag: "Tools",
		access: "tools:read",
		mcp: true,
		params: z.object({ tool_id }),
		query: ToolVersionQuery,
		response: z.array(ToolVersionItem),
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, query }) => listToolVersions(ctx, params.tool_id, query),
);

toolVersionsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/tools/{tool_id}/versions/{version_number}",
		operationId: "getToolVersion",
		summary: "Get a tool version",
		description:
			"A version is immutable. `snapshot_json` holds what was published; `code_src`, `declared_secrets` and `dependencies` " +
			"are those of a code tool.",
		tag: "Tools",
		access: "tools:read",
		mcp: true,
		params: z.object({ tool_id, version_number: versionNumber }),
		response: ToolVersion,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getToolVersion(ctx, params.tool_id, params.version_number),
);

import { RunResult, RunTool, ToolRunPage } from "@parley/contracts/agents/tool-runs";
import { RunPageQuery } from "@parley/contracts/agents/tools";
import { Uuid, versionNumber } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../context.ts";
import { runTool, runToolVersion } from "./run-tool.ts";
import { listToolRuns } from "./tool-runs.service.ts";

export const toolRunsRoutes = createAgentsRouter();

const params = z.object({ tool_id: Uuid });
const RUN_ERRORS = [
	"RESOURCE_NOT_FOUND",
	"TOOL_READ_ONLY",
	"TOOL_CONTEXT_BOUND",
	"FEATURE_DISABLED",
] as const;

toolRunsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/tools/{tool_id}/run",
		operationId: "runTool",
		summary: "Run a tool with sample input",
		description:
			"Runs the draft. The run is real: an `api_request` calls its endpoint, and `code` runs in the sandbox. A failed run is " +
			"also answered with 200: see `status` and `error`.",
		tag: "Tools",
		access: "tools:run",
		mcp: { destructiveHint: true, openWorldHint: true },
		rate: "run",
		params,
		body: RunTool.prefault({}),
		response: RunResult,
		errors: [...RUN_ERRORS, "TOOL_NOT_BUILT", "TOOL_CHANGED"],
		idempotent: true,
	},
	({ ctx, params, body }) => runTool(ctx, params.tool_id, body),
);

toolRunsRoutes.route(
	{
		method: "post",
		path: "/v1/agents/tools/{tool_id}/versions/{version_number}/run",
		operationId: "runToolVersion",
		summary: "Run a tool version",
		description:
			"Runs a published version with the source, packages and configuration of its publication. The run appears in the " +
			"tool's history. `proven_hash` and `gate_status` are those of the version; the draft does not change.",
		tag: "Tools",
		access: "tools:run",
		mcp: { destructiveHint: true, openWorldHint: true },
		rate: "run",
		params: z.object({ ...params.shape, version_number: versionNumber }),
		body: RunTool.prefault({}),
		response: RunResult,
		errors: RUN_ERRORS,
		idempotent: true,
	},
	({ ctx, params, body }) => runToolVersion(ctx, params.tool_id, params.version_number, body),
);

toolRunsRoutes.route(
	{
		method: "get",
		path: "/v1/agents/tools/{tool_id}/runs",
		operationId: "listToolRuns",
		summary: "List a tool's runs",
		description: "Lists the runs of the draft and of all versions, newest first.",
		tag: "Tools",
		access: "tools:read",
		mcp: true,
		params,
		query: RunPageQuery,
		response: ToolRunPage,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, query }) => listToolRuns(ctx, params.tool_id, query),
);

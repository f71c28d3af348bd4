import {
	CreateToolCase,
	RunToolCases,
	ToolCase,
	ToolCasesResult,
	UpdateToolCase,
} from "@parley/contracts/agents/tool-cases";
import { Uuid } from "@parley/contracts/shared/common";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { runToolCases } from "./run-cases.ts";
import {
	createToolCase,
	deleteToolCase,
	getToolCase,
	listToolCases,
	updateToolCase,
} from "./tool-cases.service.ts";

export const toolCasesRoutes = createAgentsRouter();

const tag = "Test cases";
const params = z.object({ tool_id: Uuid });
const caseParams = z.object({ ...params.shape, case_id: Uuid });
const OWN_TOOL_ERRORS = ["RESOURCE_NOT_FOUND", "TOOL_READ_ONLY"] as const;
const RUNNABLE_ERRORS = ["TOOL_CONTEXT_BOUND", "FEATURE_DISABLED"] as const;

toolCasesRoutes.route(
	{
		method: "get",
		path: "/v1/agents/tools/{tool_id}/cases",
		operationId: "listToolCases",
		summary: "List a tool's test cases",
		description: "Lists the cases in order of creation.",
		tag,
		access: "tools:read",
		params,
		response: z.array(ToolCase),
		errors: OWN_TOOL_ERRORS,
	},
	({ ctx, params }) => listToolCases(ctx, params.tool_id),
);

toolCasesRoutes.route(
	{
		method: "post",
		path: "/v1/agents/tools/{tool_id}/cases",
		operationId: "createToolCase",
		summary: "Create a test case",
		description:
			"A case holds arguments, what the call must do with them, and optionally the response of a mocked endpoint. A tool has " +
			"at most 50 cases.",
		tag,
		access: "tools:write",
		params,
		body: CreateToolCase,
		status: 201,
		location: "/v1/agents/tools/{tool_id}/cases/{id}",
		response: ToolCase,
		errors: [...OWN_TOOL_ERRORS, ...RUNNABLE_ERRORS, "TOOL_NAME_CONFLICT"],
		idempotent: true,
	},
	({ ctx, params, body }) => createToolCase(ctx, params.tool_id, body),
);

toolCasesRoutes.route(
	{
		method: "post",
		path: "/v1/agents/tools/{tool_id}/cases/run",
		operationId: "runToolCases",
		summary: "Run a tool's test cases",
		description:
			"Runs all cases against the draft or a published version. Without `mocks` the runs are real and appear in the tool's " +
			"history. With `mocks` no request leaves the service. A case that fails is also answered with 200: see `passed` and " +
			"`diff`. Cases that have not begun after 60 seconds do not run.",
		tag,
		access: "tools:run",
		rate: "run",
		params,
		body: RunToolCases.prefault({}),
		response: ToolCasesResult,
		errors: [...OWN_TOOL_ERRORS, ...RUNNABLE_ERRORS, "TOOL_NOT_BUILT", "TOOL_CHANGED"],
		idempotent: true,
	},
	({ ctx, params, body }) => runToolCases(ctx, params.tool_id, body),
);

toolCasesRoutes.route(
	{
		method: "get",
		path: "/v1/agents/tools/{tool_id}/cases/{case_id}",
		operationId: "getToolCase",
		summary: "Get a test case",
		description: "Returns the case with the result of its last run against the draft.",
		tag,
		access: "tools:read",
		params: caseParams,
		response: ToolCase,
		errors: OWN_TOOL_ERRORS,
	},
	({ ctx, params }) => getToolCase(ctx, params.tool_id, params.case_id),
);

toolCasesRoutes.route(
	{
		method: "patch",
		path: "/v1/agents/tools/{tool_id}/cases/{case_id}",
		operationId: "updateToolCase",
		summary: "Update a test case",
		description:
			"Omitted fields stay unchanged; a given field is replaced as a whole. The case forgets its last result.",
		tag,
		access: "tools:write",
		params: caseParams,
		body: UpdateToolCase,
		response: ToolCase,
		errors: [...OWN_TOOL_ERRORS, "TOOL_NAME_CONFLICT"],
	},
	({ ctx, params, body }) => updateToolCase(ctx, params.tool_id, params.case_id, body),
);

toolCasesRoutes.route(
	{
		method: "delete",
		path: "/v1/agents/tools/{tool_id}/cases/{case_id}",
		operationId: "deleteToolCase",
		summary: "Delete a test case",
		description: "Deletes the case. The runs that it made stay in the tool's history.",
		tag,
		access: "tools:write",
		params: caseParams,
		errors: OWN_TOOL_ERRORS,
	},
	({ ctx, params }) => deleteToolCase(ctx, params.tool_id, params.case_id),
);

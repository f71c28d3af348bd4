import { Toolset, ToolsetQuery } from "@parley/contracts/agents/toolsets";
import { Uuid } from "@parley/contracts/shared/common";
import { readRuntimeVariables } from "@parley/http/headers/runtime-variables";
import { z } from "zod";
import { createAgentsRouter } from "../../context.ts";
import { variablesOf } from "../request-variables.ts";
import { getToolset } from "./toolset.service.ts";

export const toolsetRoutes = createAgentsRouter();

toolsetRoutes.route(
	{
		method: "get",
		path: "/v1/agents/{agent_id}/tools",
		operationId: "getToolset",
		summary: "Get an agent's toolset",
		description:
			"The tools that the agent's model may call, as a vendor's API takes them. Names are stable for a version of the agent. " +
			"A tool that a vendor would reject is changed or left out, with a warning, so that it never breaks the others.",
		tag: "Runtime",
		access: "runtime:use",
		takesVariables: true,
		params: z.object({ agent_id: Uuid }),
		query: ToolsetQuery,
		response: Toolset,
		errors: ["RESOURCE_NOT_FOUND"],
		etag: true,
	},
	async ({ ctx, params, query, request, reply }) => {
		const variables = variablesOf(ctx, readRuntimeVariables(request.headers));
		const toolset = await getToolset(ctx, params.agent_id, query, variables);
		return reply(200, toolset, { etag: toolset.etag });
	},
);

import type { Toolset, ToolsetFormat, ToolsetQuery } from "@parley/contracts/agents/toolsets";
import type { RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import { etagOfText } from "@parley/contracts/shared/etag";
import { formatToolset } from "@parley/toolset-formats/format-toolset";
import type { Ctx } from "../../context.ts";
import { loadAgentInForce, sessionOf } from "../in-force/agent-in-force.ts";
import type { AgentInForce } from "../in-force/runtime-attachment.ts";
import { type ModelTools, modelTools } from "./model-tools.ts";
import { resolveTools } from "./resolve-tools.ts";

/** Toolsets of each agent that is held in memory, by format. Those with placeholders differ from request to request. */
const made = new WeakMap<AgentInForce, Map<ToolsetFormat, Toolset>>();

/**
 * Returns the tools that the model may call, in the form of a vendor.
 * @param variables values for placeholders in descriptions and in what the agent speaks before a tool runs
 * @throws ApiError RESOURCE_NOT_FOUND; VALIDATION_FAILED for `mocks` without a session that answers from mocks
 */
export async function getToolset(
	ctx: Ctx,
	agentId: string,
	{ format, mocks }: ToolsetQuery,
	variables: RuntimeVariables,
): Promise<Toolset> {
	if (mocks) assertMocks(ctx);
	const agent = await loadAgentInForce(ctx, agentId);
	const held = made.get(agent)?.get(format);
	if (held) return held;
	const tools = modelTools(agent);
	if (tools.hasPlaceholders) return toToolset(agent, format, await resolveTools(ctx, agent, variables));
	const toolset = await toToolset(agent, format, tools);
	const toolsets = made.get(agent) ?? new Map<ToolsetFormat, Toolset>();
	made.set(agent, toolsets.set(format, toolset));
	return toolset;
}

async function toToolset(
	agent: AgentInForce,
	format: ToolsetFormat,
	{ tools, preActionMessages, warnings }: ModelTools,
): Promise<Toolset> {
	const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
	const vendor = formatToolset(format, definitions);
	const origin = { agent_id: agent.agentId, agent_version: agent.version, format };
	const content = {
		tools: vendor.tools,
		pre_action_messages: preActionMessages,
		warnings: [...warnings, ...vendor.warnings],
	};
	return { ...origin, etag: await etagOfText(JSON.stringify([origin, content])), ...content };
}

/** @throws ApiError VALIDATION_FAILED if the caller's tool calls would be real */
function assertMocks(ctx: Ctx): void {
	if (sessionOf(ctx)?.mocks) return;
	const message = "Needs the token of a session that was opened with mocks: true";
	throw new ApiError("VALIDATION_FAILED", `mocks: ${message}`, {
		fields: [{ path: "query.mocks", message }],
	});
}

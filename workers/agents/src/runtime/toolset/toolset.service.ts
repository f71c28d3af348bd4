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

/** Tools of each agent that is held in memory, by format. */
const made = new WeakMap<AgentInForce, Map<ToolsetFormat, Formatted>>();

type Formatted = {
	vendor: ReturnType<typeof formatToolset>;
	/** The answer, if it does not differ from request to request. */
	toolset?: Toolset;
};

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
	const formatted = formattedFor(agent, format);
	if (formatted.toolset) return formatted.toolset;
	const tools = await resolveTools(ctx, agent, variables);
	const toolset = await toToolset(agent, format, tools, formatted.vendor);
	if (!tools.hasPlaceholders) formatted.toolset = toolset;
	return toolset;
}

function formattedFor(agent: AgentInForce, format: ToolsetFormat): Formatted {
	const formats = made.get(agent) ?? new Map<ToolsetFormat, Formatted>();
	made.set(agent, formats);
	const held = formats.get(format);
	if (held) return held;
	const definitions = modelTools(agent).tools.map(({ name, description, parameters }) => ({
		...{ name, description, parameters },
	}));
	const formatted: Formatted = { vendor: formatToolset(format, definitions) };
	formats.set(format, formatted);
	return formatted;
}

/** Builds the answer. Only descriptions and messages differ between tools and their vendor's form that was made before. */
async function toToolset(
	agent: AgentInForce,
	format: ToolsetFormat,
	{ tools, preActionMessages, warnings }: ModelTools,
	vendor: Formatted["vendor"],
): Promise<Toolset> {
	const descriptions = new Map(tools.map(({ name, description }) => [name, description]));
	const origin = { agent_id: agent.agentId, agent_version: agent.version, format };
	const content = {
		tools: vendor.tools.map((tool) => ({ ...tool, description: descriptions.get(tool.name) ?? "" })),
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

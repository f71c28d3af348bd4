import type { Toolset, ToolsetFormat, ToolsetQuery } from "@parley/contracts/agents/toolsets";
import type { RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import { etagOfText } from "@parley/contracts/shared/etag";
import { formatToolset } from "@parley/toolset-formats/format-toolset";
import type { Ctx } from "../../context.ts";
import { loadAgentInForce, sessionOf } from "../in-force/agent-in-force.ts";
import { resolveTexts } from "../in-force/resolve-texts.ts";
import type { AgentInForce } from "../in-force/runtime-attachment.ts";
import { modelTools } from "./model-tools.ts";

/** Toolsets of each agent that is held in memory, by format. */
const made = new WeakMap<AgentInForce, Map<ToolsetFormat, Toolset>>();

/**
 * Returns the tools that the model may call, in the form of a vendor.
 * @param variables values for the placeholders of what the agent speaks before a tool runs
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
	const toolsets = made.get(agent) ?? new Map<ToolsetFormat, Toolset>();
	made.set(agent, toolsets);
	const held = toolsets.get(format);
	const toolset = held ?? (await withEtag(formatted(agent, format)));
	if (!held) toolsets.set(format, toolset);
	return resolveMessages(ctx, agent, toolset, variables);
}

type Untagged = Omit<Toolset, "etag">;

function formatted(agent: AgentInForce, format: ToolsetFormat): Untagged {
	const { tools, warnings } = modelTools(agent);
	const definitions = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
	const vendor = formatToolset(format, definitions);
	const names = new Set(tools.map(({ name }) => name));
	const messages = agent.attachments.flatMap(({ name, preActionMessage }) =>
		preActionMessage && names.has(name) ? [[name, preActionMessage] as const] : [],
	);
	return {
		...{ agent_id: agent.agentId, agent_version: agent.version, format, tools: vendor.tools },
		pre_action_messages: Object.fromEntries(messages),
		warnings: [...warnings, ...vendor.warnings],
	};
}

const withEtag = async (toolset: Untagged): Promise<Toolset> => {
	const { agent_id, agent_version, format, ...content } = toolset;
	return { agent_id, agent_version, format, etag: await etagOfText(JSON.stringify(toolset)), ...content };
};

/** Resolves the placeholders of what the agent speaks. One without a value stays as it is. */
async function resolveMessages(
	ctx: Ctx,
	agent: AgentInForce,
	toolset: Toolset,
	variables: RuntimeVariables,
): Promise<Toolset> {
	const messages = Object.entries(toolset.pre_action_messages);
	const templates = Object.fromEntries(messages.map(([name, { text }]) => [name, text]));
	if (!messages.some(([, { text }]) => text.includes("{{"))) return toolset;
	const { texts } = await resolveTexts(ctx, agent.config, templates, variables);
	const resolved = messages.map(([name, { wait }]) => [name, { text: texts[name] ?? "", wait }]);
	const { etag, ...untagged } = toolset;
	return withEtag({ ...untagged, pre_action_messages: Object.fromEntries(resolved) });
}

/** @throws ApiError VALIDATION_FAILED if the caller's tool calls would be real */
function assertMocks(ctx: Ctx): void {
	if (sessionOf(ctx)?.mocks) return;
	const message = "Needs the token of a session that was opened with mocks: true";
	throw new ApiError("VALIDATION_FAILED", `mocks: ${message}`, {
		fields: [{ path: "query.mocks", message }],
	});
}

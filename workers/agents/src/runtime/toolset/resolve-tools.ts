import type { RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import type { Ctx } from "../../context.ts";
import { resolveTexts } from "../in-force/resolve-texts.ts";
import type { AgentInForce } from "../in-force/runtime-attachment.ts";
import { type ModelTools, modelTools } from "./model-tools.ts";

/**
 * Returns an agent's tools with the placeholders in their descriptions and messages resolved. One without a value stays as it
 * is, and so does one that names a secret.
 */
export async function resolveTools(
	ctx: Ctx,
	agent: AgentInForce,
	variables: RuntimeVariables,
): Promise<ModelTools> {
	const given = modelTools(agent);
	if (!given.hasPlaceholders) return given;
	const descriptions = given.tools.map(({ name, description }) => [`description ${name}`, description]);
	const messages = Object.entries(given.preActionMessages).map(([name, { text }]) => [
		`message ${name}`,
		text,
	]);
	const templates: Record<string, string> = Object.fromEntries([...descriptions, ...messages]);
	const { texts } = await resolveTexts(ctx, agent.config, templates, variables);
	return {
		...given,
		tools: given.tools.map((tool) => ({ ...tool, description: texts[`description ${tool.name}`] ?? "" })),
		preActionMessages: Object.fromEntries(
			Object.entries(given.preActionMessages).map(([name, { wait }]) => [
				name,
				{ text: texts[`message ${name}`] ?? "", wait },
			]),
		),
	};
}

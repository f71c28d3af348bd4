import type { RuntimeTool } from "@parley/contracts/internal/agent-runtime-rpc";
import { strictSchema } from "../../runs/arguments.ts";
import type {
	AgentInForce,
	McpAttachment,
	RuntimeAttachment,
	RuntimeWarning,
	ToolAttachment,
} from "../in-force/runtime-attachment.ts";
import { argumentRules, modelParameters } from "./hidden-arguments.ts";

export type ModelTools = {
	tools: RuntimeTool[];
	/** What the agent speaks before a tool runs, by the tool's name. */
	preActionMessages: Record<string, { text: string; wait: boolean }>;
	warnings: RuntimeWarning[];
	/** Whether a description or a message has placeholders, whose values differ from session to session. */
	hasPlaceholders: boolean;
};

/** Tools of each agent that is held in memory. An agent in force never changes; a new one takes its place. */
const made = new WeakMap<AgentInForce, ModelTools>();

/** Returns the tools that the model may call, in attachment order. Those that cannot be called now are left out, with a warning. */
export function modelTools(agent: AgentInForce): ModelTools {
	const held = made.get(agent) ?? makeTools(agent);
	made.set(agent, held);
	return held;
}

function makeTools({ attachments, warnings }: AgentInForce): ModelTools {
	const seen = attachments.filter(({ invocation }) => invocation === "model");
	const tools = seen.flatMap((attachment) => toModelTool(attachment) ?? []);
	const offered = new Set(tools.map(({ name }) => name));
	const messages = seen.flatMap(({ name, preActionMessage }) =>
		preActionMessage && offered.has(name) ? [[name, preActionMessage] as const] : [],
	);
	const texts = [...tools.map(({ description }) => description), ...messages.map(([, { text }]) => text)];
	return {
		tools,
		preActionMessages: Object.fromEntries(messages),
		warnings: warnings.filter(({ tool }) => seen.some(({ name }) => name === tool)),
		hasPlaceholders: texts.some((text) => text.includes("{{")),
	};
}

const toModelTool = (attachment: RuntimeAttachment): RuntimeTool | undefined =>
	attachment.kind === "tool" ? ofTool(attachment) : ofMcpTool(attachment);

function ofTool(attachment: ToolAttachment): RuntimeTool | undefined {
	const { runnable } = attachment;
	if (!runnable) return undefined;
	const { config } = runnable;
	const prompt = "prompt" in config ? config.prompt : null;
	const outputSchema = publishedOutputSchema(attachment);
	return {
		name: attachment.name,
		description: joined(attachment.description, runnable.description, prompt),
		parameters: modelParameters(strictSchema(runnable), argumentRules(attachment)),
		...(outputSchema && { outputSchema }),
	};
}

function ofMcpTool(attachment: McpAttachment): RuntimeTool | undefined {
	const { tool } = attachment;
	if (!tool) return undefined;
	return {
		name: attachment.name,
		...(tool.title !== null && { title: tool.title }),
		description: joined(attachment.description, tool.description),
		parameters: modelParameters(tool.input_schema, argumentRules(attachment)),
		...(tool.annotations && { annotations: tool.annotations }),
	};
}

/**
 * Returns the schema of a tool's output for its caller; undefined where the output is not validated, is no object or is not for
 * the model.
 */
export function publishedOutputSchema({ runnable }: ToolAttachment): Record<string, unknown> | undefined {
	if (runnable?.outputSchema?.type !== "object") return undefined;
	const { config } = runnable;
	return config.type === "api_request" && !config.response.show_to_llm ? undefined : runnable.outputSchema;
}

const joined = (...texts: (string | null | undefined)[]): string =>
	texts
		.map((text) => text?.trim())
		.filter(Boolean)
		.join("\n\n");

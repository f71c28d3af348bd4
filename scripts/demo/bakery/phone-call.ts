// The loop of a voice runtime: what the caller says goes to the model, its tool calls go to Parley over MCP, until a directive
// ends the call.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { chatTools } from "@parley/sdk/adapters/openai";
import type { AgentSession, Directive } from "@parley/sdk/runtime";
import OpenAI from "openai";

export type Llm = { baseURL: string; apiKey: string; model: string };

/** A tool call as the loop saw it. */
export type Seen = {
	name: string;
	args: Record<string, unknown>;
	text: string;
	ms: number;
	/** Version of the tool that ran, from the result's metadata. */
	version: number | null;
	directive: Directive | null;
};

export type PhoneCall = {
	/** Gives the model what the caller said and runs its tool calls. @returns what the agent says, and its directive */
	hear: (
		said: string,
		onTool: (seen: Seen) => void,
	) => Promise<{ answer: string; directive: Directive | null }>;
	hangUp: () => Promise<void>;
};

/** Model turns for one thing that the caller says. */
const MAX_TURNS = 8;

/** Connects a session's tools to a model. */
export async function startPhoneCall(session: AgentSession, llm: Llm): Promise<PhoneCall> {
	const mcp = new Client(
		{ name: "demo-telephone", version: "1.0.0" },
		{ versionNegotiation: { mode: "auto" } },
	);
	const headers = { authorization: `Bearer ${session.token}` };
	await mcp.connect(
		new StreamableHTTPClientTransport(new URL(session.mcp_url), { requestInit: { headers } }),
	);
	const openai = new OpenAI({ baseURL: llm.baseURL, apiKey: llm.apiKey });
	const tools = await chatTools(session);
	const messages: OpenAI.Chat.Completions.ChatCompletionMessageParam[] = [
		{ role: "system", content: session.system_prompt },
		{ role: "assistant", content: session.greeting },
	];

	const callTool = async (name: string, text: string): Promise<Seen> => {
		const args = JSON.parse(text || "{}") as Record<string, unknown>;
		const startedAt = performance.now();
		const { content, _meta: meta = {} } = await mcp.callTool({ name, arguments: args });
		const texts = content.flatMap((part) => (part.type === "text" ? part.text : []));
		return {
			...{ name, args, text: texts.join("\n\n"), ms: performance.now() - startedAt },
			version: (meta["parley/version"] as number | undefined) ?? null,
			directive: (meta["parley/directive"] as Directive | undefined) ?? null,
		};
	};

	return {
		hear: async (said, onTool) => {
			messages.push({ role: "user", content: said });
			let directive: Directive | null = null;
			for (let turn = 0; turn < MAX_TURNS; turn++) {
				const { choices } = await openai.chat.completions.create({ model: llm.model, messages, tools });
				const message = choices[0]?.message;
				if (!message) break;
				messages.push(message);
				const calls = (message.tool_calls ?? []).filter((call) => call.type === "function");
				if (calls.length === 0) return { answer: message.content ?? "", directive };
				for (const { id, function: called } of calls) {
					const seen = await callTool(called.name, called.arguments);
					onTool(seen);
					directive ??= seen.directive;
					messages.push({ role: "tool", tool_call_id: id, content: seen.text });
				}
			}
			throw new Error(`The model did not answer within ${MAX_TURNS} turns`);
		},
		hangUp: () => mcp.close(),
	};
}

import type { OpenedRuntimeSession, OpenRuntimeSession } from "@parley/contracts/agents/runtime-sessions";
import type { CallTool, RuntimeEvent, ToolCallResult } from "@parley/contracts/agents/tool-calls";
import type { AnthropicTool } from "@parley/toolset-formats/anthropic";
import type { ToolsetFormat } from "@parley/toolset-formats/format-toolset";
import type { GeminiTool } from "@parley/toolset-formats/gemini";
import type { OpenAiRealtimeTool, OpenAiTool } from "@parley/toolset-formats/openai";
import type { ToolDefinition } from "@parley/toolset-formats/schema";
import { createHttp, type Http, ParleyError } from "./http.ts";

export type { Directive, RuntimeEvent, ToolCallResult } from "@parley/contracts/agents/tool-calls";
export type { ToolsetFormat } from "@parley/toolset-formats/format-toolset";

/** Values for `{{name}}` placeholders of prompts, fixed arguments and tool settings. The model never sees them. */
export type Variables = OpenRuntimeSession["variables"];

export type AgentRuntimeOptions = {
	/** Address of the deployment, such as `https://parley.example`. */
	baseUrl: string;
	/** Agent key, session token, or consumer key with the scope `runtime:use`. */
	key: string;
	agentId: string;
	/** Sent with every request that has no session, at most 100 entries and 32 kB. */
	variables?: Variables;
	/** Sends the requests. Default: `globalThis.fetch`. */
	fetch?: typeof globalThis.fetch;
};

type ToolOf = {
	json_schema: ToolDefinition;
	openai: OpenAiTool;
	openai_realtime: OpenAiRealtimeTool;
	anthropic: AnthropicTool;
	gemini: GeminiTool;
};

/** Tools that the model may call, in attachment order, as one vendor takes them. */
export type Toolset<F extends ToolsetFormat = "json_schema"> = {
	agent_id: string;
	agent_version: number;
	/** Changes whenever the list does. */
	etag: string;
	tools: ToolOf[F][];
	/** What the agent says before a tool runs, by the tool's name. */
	pre_action_messages: Record<string, PreActionMessage>;
	/** What differs from the tools' own schemas, and what is left out. */
	warnings: { tool: string; message: string }[];
};

/** What the agent says before a tool runs. With `wait` the tool starts only after it was spoken. */
export type PreActionMessage = { text: string; wait: boolean };

export type CallOptions = {
	/** The model's own id of the call. It is recorded. */
	toolCallId?: string | undefined;
	/** Milliseconds after which the call ends as `timed_out`, 1,000 to 120,000. Default: 60,000. */
	deadlineMs?: number | undefined;
	/** Identifies the call when you repeat it yourself. Default: one of its own, so that a retry never runs a tool twice. */
	idempotencyKey?: string | undefined;
	/** Cancels the call. */
	signal?: AbortSignal | undefined;
};

/** What the adapters need: an agent's tools, with or without a session. */
export type AgentTools = {
	/** Returns the toolset in a vendor's format. Asks with the ETag of the list before, so that an unchanged list is not sent again. */
	tools: <F extends ToolsetFormat = "json_schema">(
		format?: F,
		options?: { signal?: AbortSignal },
	) => Promise<Toolset<F>>;
	/** Returns what the agent says before a tool runs, from the toolset that was read last. */
	preActionMessage: (name: string) => PreActionMessage | undefined;
	/**
	 * Calls a tool. A tool that fails is a result, with `status` and `error`, because the model must hear of it.
	 * @throws ParleyError when the service refuses the request: unknown name, inactive agent, too many calls at once;
	 * TimeoutError when no answer has come 10 seconds after the deadline; what `fetch` throws when nobody is reached
	 */
	call: (name: string, args?: Record<string, unknown>, options?: CallOptions) => Promise<ToolCallResult>;
};

export type SessionOptions = {
	/** Values over the agent's `template_defaults`. */
	variables?: Variables;
	/** Person at the other end; `user_phone_number` returns the number. */
	caller?: OpenRuntimeSession["caller"];
	/** Call recorded under `/v1/agents/{agent_id}/calls`, on which the tool calls then appear. */
	callId?: string;
	/** Life of the session in seconds, 60 to 14,400. Default: 3,600. */
	ttlSeconds?: number;
	/** Whether tools answer from the mocks of their test cases instead of running. Default: false. */
	mocks?: boolean;
	signal?: AbortSignal;
};

/** Answer of an opening. `token` is accepted wherever an agent key is, until the session ends. */
export type SessionFields = OpenedRuntimeSession & { token: string };

/** One live call or chat. `await using` ends it. */
export type AgentSession = AgentTools &
	SessionFields & {
		/** Runs the tools that the system starts on an event, in attachment order. */
		event: (event: RuntimeEvent, options?: { signal?: AbortSignal }) => Promise<{ calls: ToolCallResult[] }>;
		/** Ends the session and its token. Does nothing if it has ended. */
		end: () => Promise<void>;
		[Symbol.asyncDispose]: () => Promise<void>;
	};

export type AgentRuntime = AgentTools & {
	/** Opens a session. It keeps the agent's version until it ends. */
	session: (options?: SessionOptions) => Promise<AgentSession>;
	/** Runs the tools that the system starts on an event of a session. */
	event: (
		event: RuntimeEvent,
		sessionId: string,
		options?: { signal?: AbortSignal },
	) => Promise<{ calls: ToolCallResult[] }>;
};

const DEFAULT_DEADLINE_MS = 60_000;
/** Time after a call's deadline by which its answer has come, if it comes at all. */
const ANSWER_GRACE_MS = 10_000;

/** Creates a client of one agent's runtime API. Every call throws ParleyError when the service refuses it. */
export function createAgentRuntime({
	key,
	agentId,
	variables,
	...options
}: AgentRuntimeOptions): AgentRuntime {
	const connect = (apiKey: string) => createHttp({ ...options, apiKey, retryUnreachable: true });
	const http = connect(key);
	const path = `/v1/agents/${encodeURIComponent(agentId)}`;
	const headers = variables && { "x-parley-variables": toBase64Url(JSON.stringify(variables)) };
	return {
		...toolsOf(http, path, headers),
		event: (event, sessionId, { signal } = {}) => sendEvent(http, path, event, sessionId, signal),
		session: async ({ callId, ttlSeconds, signal, ...given } = {}) => {
			const fields = await http.json<SessionFields>("POST", `${path}/sessions`, {
				body: { ...given, call_id: callId, ttl_seconds: ttlSeconds },
				signal,
			});
			const sessionHttp = connect(fields.token);
			const end = () => endSession(http, `${path}/sessions/${fields.session_id}`);
			return {
				...fields,
				...toolsOf(sessionHttp, path),
				event: (event, { signal } = {}) => sendEvent(sessionHttp, path, event, fields.session_id, signal),
				end,
				[Symbol.asyncDispose]: end,
			};
		},
	};
}

function toolsOf(http: Http, path: string, headers: Record<string, string> = {}): AgentTools {
	const known = new Map<ToolsetFormat, Toolset<ToolsetFormat>>();
	let preActionMessages: Toolset["pre_action_messages"] = {};
	return {
		preActionMessage: (name) => preActionMessages[name],
		tools: async (format, { signal } = {}) => {
			const wanted: ToolsetFormat = format ?? "json_schema";
			const before = known.get(wanted);
			const response = await http.send("GET", `${path}/tools`, {
				query: { format: wanted },
				headers: { ...headers, ...(before && { "if-none-match": before.etag }) },
				signal,
			});
			if (before && response.status === 304) return before as never;
			const toolset = (await response.json()) as Toolset<ToolsetFormat>;
			preActionMessages = toolset.pre_action_messages;
			known.set(wanted, { ...toolset, etag: response.headers.get("etag") ?? toolset.etag });
			return toolset as never;
		},
		call: (name, args = {}, options = {}) => {
			const { toolCallId, deadlineMs = DEFAULT_DEADLINE_MS, idempotencyKey, signal } = options;
			const body: Partial<CallTool> = {
				arguments: args,
				deadline_ms: deadlineMs,
				...(toolCallId !== undefined && { tool_call_id: toolCallId }),
			};
			return http.json<ToolCallResult>("POST", `${path}/tools/${encodeURIComponent(name)}/call`, {
				body,
				headers,
				idempotencyKey: idempotencyKey ?? crypto.randomUUID(),
				retryWithinMs: deadlineMs,
				signal: AbortSignal.any([
					...(signal ? [signal] : []),
					AbortSignal.timeout(deadlineMs + ANSWER_GRACE_MS),
				]),
			});
		},
	};
}

async function endSession(http: Http, path: string): Promise<void> {
	try {
		await http.json("DELETE", path);
	} catch (error) {
		if (!(error instanceof ParleyError && error.status === 404)) throw error;
	}
}

const sendEvent = (
	http: Http,
	path: string,
	event: RuntimeEvent,
	sessionId: string,
	signal: AbortSignal | undefined,
) =>
	http.json<{ calls: ToolCallResult[] }>("POST", `${path}/events`, {
		body: { event, session_id: sessionId },
		idempotencyKey: crypto.randomUUID(),
		signal,
	});

function toBase64Url(text: string): string {
	const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
	return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

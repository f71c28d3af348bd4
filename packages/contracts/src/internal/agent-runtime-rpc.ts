import type { FieldError } from "../shared/api-error.ts";
import type { ErrorCode } from "../shared/error-codes.ts";

/** Values for `{{name}}` placeholders of one request, from `X-Parley-Variables`. */
export type RuntimeVariables = Record<string, string | number | boolean>;

/** Person at the other end of a session's call. */
export type RuntimeCaller = { phone_number?: string; sip_address?: string };

/** A live call or chat, as its tool calls need it. */
export type RuntimeSession = {
	id: string;
	agentId: string;
	/** Version of the agent for the life of the session. */
	agentVersion: number;
	variables: RuntimeVariables;
	caller: RuntimeCaller;
	/** Recorded call that the session's tool calls belong to. */
	callId: string | null;
	/** Whether tools answer from their test cases instead of running. */
	mocks: boolean;
	expiresAt: string;
};

/** One agent as a caller uses it: the caller decides the version in force and the variables of its session. */
export type RuntimeTarget<Actor> = {
	/** The authenticated caller: an API key, an agent key, a session token or a person with an access token. */
	actor: Actor;
	agentId: string;
	requestId: string;
	variables?: RuntimeVariables;
};

export type RuntimeAgent = {
	name: string;
	version: number;
	/** System prompt with its placeholders resolved. */
	instructions: string;
};

/** A tool that the model may call. */
export type RuntimeTool = {
	/** Matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$` and is unique in the toolset. */
	name: string;
	title?: string;
	description: string;
	/** JSON Schema of the arguments that the model gives. */
	parameters: Record<string, unknown>;
	/** JSON Schema of the output. Present only if Parley validates the output. */
	outputSchema?: Record<string, unknown>;
	annotations?: Record<string, unknown>;
};

export type RuntimeToolset = { agentName: string; version: number; tools: RuntimeTool[] };

export type RuntimeCall = {
	name: string;
	arguments: Record<string, unknown>;
	toolCallId?: string;
	deadlineMs?: number;
};

/** Answer of `POST /v1/agents/{agent_id}/tools/{name}/call`, as far as MCP clients need it. */
export type RuntimeCallResult = {
	/** Id of the recorded tool call. */
	id: string;
	tool_id: string;
	version: number | null;
	status: "succeeded" | "failed" | "timed_out" | "rejected";
	output: unknown;
	/** Whether the output matches the tool's output schema, so that it may be sent as structured content. */
	has_output_schema: boolean;
	/** Text for the model. */
	content: string;
	directive: Record<string, unknown> | null;
	error: { code: string; message: string; fields?: FieldError[] } | null;
};

export type RuntimeProgress = { progress: number; total?: number; message?: string };

/** A refusal travels as a value: an error that crosses RPC loses its code. */
export type RuntimeRefusal = {
	code: ErrorCode;
	message: string;
	fields?: FieldError[];
	headers?: Record<string, string>;
};
export type RuntimeAnswer<T> = { ok: true; value: T } | { ok: false; refusal: RuntimeRefusal };

/** A call that runs. It is recorded however it ends. */
export type RunningCall = {
	result: () => Promise<RuntimeAnswer<RuntimeCallResult>>;
	/** Stops the call. The result then has the status `failed`. */
	cancel: () => Promise<void>;
};

/** The RPC of the agents worker, entrypoint `AgentRuntime`: one agent's tools for the worker that serves MCP clients. */
export type AgentRuntimeRpc<Actor> = {
	describe: (target: RuntimeTarget<Actor>) => Promise<RuntimeAnswer<RuntimeAgent>>;
	/** Returns the tools that the model may call, in attachment order. */
	toolset: (target: RuntimeTarget<Actor>) => Promise<RuntimeAnswer<RuntimeToolset>>;
	/**
	 * Starts a call. Refusals, such as an unknown name, come from its result.
	 * @param onProgress called for each progress notification of an MCP server
	 */
	startCall: (
		target: RuntimeTarget<Actor>,
		call: RuntimeCall,
		onProgress?: (progress: RuntimeProgress) => void,
	) => Promise<RunningCall>;
};

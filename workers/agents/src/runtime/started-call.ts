import { RpcTarget } from "cloudflare:workers";
import { CallTool, type ToolCallResult } from "@parley/contracts/agents/tool-calls";
import type {
	RunningCall,
	RuntimeAnswer,
	RuntimeCall,
	RuntimeCallResult,
	RuntimeProgress,
	RuntimeVariables,
} from "@parley/contracts/internal/agent-runtime-rpc";
import type { Ctx } from "../context.ts";
import { callTool } from "./tool-calls/call-tool.ts";

export type OnProgress = (progress: RuntimeProgress) => unknown;

type Answer = RuntimeAnswer<RuntimeCallResult>;
type Start = {
	agentId: string;
	call: RuntimeCall;
	variables: RuntimeVariables | undefined;
	onProgress: OnProgress | undefined;
	/** Does work for a caller who may use the agent. Refusals become values. */
	answer: (work: (ctx: Ctx) => Promise<RuntimeCallResult>) => Promise<Answer>;
	/** Keeps the worker alive for the call. */
	keepAlive: (work: Promise<unknown>) => void;
};

/** A call that was started by RPC. A caller that goes away cancels it. */
export class StartedCall extends RpcTarget implements RunningCall {
	readonly #cancelled = new AbortController();
	readonly #answer: Promise<Answer>;

	constructor({ agentId, call, variables, onProgress, answer, keepAlive }: Start) {
		super();
		const progress = keep(onProgress);
		this.#answer = answer(async (ctx) => {
			const { name, toolCallId, deadlineMs } = call;
			const body = CallTool.parse({
				arguments: call.arguments,
				...(toolCallId !== undefined && { tool_call_id: toolCallId }),
				...(deadlineMs !== undefined && { deadline_ms: deadlineMs }),
			});
			const handlers = { cancelled: this.#cancelled.signal, onProgress: progress?.report };
			return toRuntimeResult(await callTool(ctx, { agentId, name, body, variables, ...handlers }));
		}).finally(() => progress?.release());
		// Nobody may ask for the result, and the call is recorded all the same.
		keepAlive(this.#answer.catch(() => undefined));
	}

	result(): Promise<Answer> {
		return this.#answer;
	}

	async cancel(): Promise<void> {
		this.#cancelled.abort();
	}

	[Symbol.dispose](): void {
		this.#cancelled.abort();
	}
}

const toRuntimeResult = ({ id, tool_id, version, ...result }: ToolCallResult): RuntimeCallResult => ({
	...{ id, tool_id, version, status: result.status, output: result.output },
	has_output_schema: result.validation === "valid",
	...{ content: result.content, directive: result.directive, error: result.error },
});

type KeptProgress = { report: (progress: RuntimeProgress) => void; release: () => void };

/** Keeps a callback that came by RPC beyond the call that brought it. */
function keep(onProgress: OnProgress | undefined): KeptProgress | undefined {
	if (!onProgress) return undefined;
	const stub = onProgress as OnProgress & { dup?: () => OnProgress & Disposable };
	const kept = stub.dup?.() ?? onProgress;
	return {
		// A listener that has gone away hears nothing, and the call goes on.
		report: (progress) => void Promise.resolve(kept(progress)).catch(() => undefined),
		release: () => (kept as Partial<Disposable>)[Symbol.dispose]?.(),
	};
}

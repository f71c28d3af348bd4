import { ParleyError } from "../http.ts";
import type { AgentTools, Directive, PreActionMessage, ToolCallResult } from "../runtime.ts";

/** A call as the model made it. `arguments` is JSON text or what was parsed from it. */
export type ModelCall = { name: string; arguments: unknown; id?: string | undefined };

export type AdapterOptions = {
	/** Speaks a message before a tool runs. The tool waits for it if the message says so. */
	onPreActionMessage?: (message: PreActionMessage) => void | Promise<void>;
	/** Called when a tool asks the runtime to do something: end or transfer the call, send a message, watch for voicemail. */
	onDirective?: (directive: Directive, result: ToolCallResult) => void | Promise<void>;
	/** Called with the result of each call. */
	onResult?: (result: ToolCallResult) => void | Promise<void>;
	/** Milliseconds after which a call ends as `timed_out`, 1,000 to 120,000. Default: 60,000. */
	deadlineMs?: number;
};

export type ModelAnswer = {
	/** What to give to the model. */
	text: string;
	/** Whether the call succeeded. */
	ok: boolean;
	/** Absent without an answer: the arguments are no JSON object, or the service refused the call or was not reached. */
	result?: ToolCallResult;
};

/**
 * Calls the tool that the model named. What the model can mend or work around, such as a wrong name or a service that is not
 * reached, comes back as text for it, so that the conversation goes on.
 * @throws ParleyError when the key or the agent is refused; the signal's reason when it aborts
 */
export async function answerModelCall(
	runtime: AgentTools,
	call: ModelCall,
	{ onPreActionMessage, onDirective, onResult, deadlineMs }: AdapterOptions = {},
	signal?: AbortSignal,
): Promise<ModelAnswer> {
	const args = parseArguments(call.arguments);
	if (!args) return { text: "The arguments are not a JSON object. Call the tool again.", ok: false };
	const message = runtime.preActionMessage(call.name);
	const spoken = message && onPreActionMessage?.(message);
	if (message?.wait) await spoken;
	const result = await runtime
		.call(call.name, args, { toolCallId: call.id, deadlineMs, signal })
		.catch((error: unknown) => {
			if (signal?.aborted) throw error;
			return textForError(error);
		});
	if (typeof result === "string") return { text: result, ok: false };
	await onResult?.(result);
	if (result.directive) await onDirective?.(result.directive, result);
	return { text: textForModel(result), ok: result.status === "succeeded", result };
}

/** Returns what the model can react to. @throws the error of a refused key or agent, which is for the developer */
function textForError(error: unknown): string {
	if (!(error instanceof ParleyError)) return "The tool could not be reached.";
	if (isForModel(error)) return error.message;
	throw error;
}

/** Returns what to give to the model: the content, then each rejected argument or the tool's instructions for its use. */
export function textForModel({ content, instructions, error }: ToolCallResult): string {
	const fields = (error?.fields ?? []).map(({ path, message }) => `- ${path}: ${message}`);
	return [content, ...(fields.length > 1 ? [fields.join("\n")] : []), instructions]
		.filter(Boolean)
		.join("\n\n");
}

function parseArguments(given: unknown): Record<string, unknown> | undefined {
	if (typeof given !== "string")
		return isObject(given ?? {}) ? ((given ?? {}) as Record<string, unknown>) : undefined;
	if (given.trim() === "") return {};
	try {
		const parsed: unknown = JSON.parse(given);
		return isObject(parsed) ? parsed : undefined;
	} catch {
		return undefined;
	}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns whether the model can react to a refusal. A refused key or agent is for the developer instead. */
const isForModel = ({ code, status, retryable }: ParleyError): boolean =>
	retryable || code === "TOOL_NOT_ATTACHED" || status === 413 || status === 422;

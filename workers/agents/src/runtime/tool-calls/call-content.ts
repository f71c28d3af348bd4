import { type Directive, TOOL_CALL_LIMITS } from "@parley/contracts/agents/tool-calls";
import { isObject } from "../../agents/attachments/override-rules.ts";
import { truncateUtf8 } from "../../runs/run-log.ts";
import type { CallOutcome } from "./run/call-outcome.ts";

const DIRECTIVE_TEXTS = {
	end_call: "The call is about to end.",
	transfer_call: "The call is being transferred.",
	send_sms: "The text message is being sent.",
	voicemail_detection: "Voicemail detection is on.",
} as const satisfies Record<Directive["type"], string>;

/** Returns the text for the model: the output, or the error in one sentence. At most 64 KiB, with a mark where it is cut. */
export function contentOf({ status, output, directive, error }: CallOutcome): string {
	if (directive) return DIRECTIVE_TEXTS[directive.type];
	return truncated(error ? errorText(status, error.message) : outputText(output));
}

/** Text that an endpoint answered is given as it is, anything else as JSON. */
function outputText(output: unknown): string {
	if (typeof output === "string") return output;
	const isText = isObject(output) && typeof output.text === "string" && Object.keys(output).length === 1;
	return isText ? (output.text as string) : JSON.stringify(output);
}

const ERROR_STARTS = {
	succeeded: "",
	failed: "The tool failed",
	timed_out: "The tool did not answer in time",
	rejected: "The arguments were rejected",
} as const satisfies Record<CallOutcome["status"], string>;

const errorText = (status: CallOutcome["status"], message: string): string =>
	`${ERROR_STARTS[status]}: ${message}`;

function truncated(text: string): string {
	const { byteLength } = new TextEncoder().encode(text);
	if (byteLength <= TOOL_CALL_LIMITS.contentBytes) return text;
	const mark = `\n[truncated: ${byteLength} bytes]`;
	return truncateUtf8(text, TOOL_CALL_LIMITS.contentBytes - mark.length) + mark;
}

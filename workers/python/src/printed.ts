import { PYTHON_LIMITS } from "@parley/contracts/internal/python-rpc";

// What the sandbox hands over beyond the limits, so that a secret at a cut is whole when it is looked for.
export const CUT_SLACK_BYTES = 32 * 1024;
// A character that the sandbox's own cut splits, and line ends that it leaves out.
const CUT_TOLERANCE_BYTES = 16;
const MAX_MESSAGE = 4_000;
const MAX_TRACEBACK = 16_000;

type Printed = { logs: string[]; logs_truncated: boolean };
type ScrubText = (text: string) => string;

/**
 * The lines that a tool printed, scrubbed and then cut to the limits of the contract. Where the sandbox has cut a flood, a
 * secret may be halved that cannot be found; scrubbing shortens what stands before it, so the end is left out as well.
 */
export function presentLogs({ logs, logs_truncated }: Printed, scrub: ScrubText = (text) => text): Printed {
	if (logs.length === 0) return { logs, logs_truncated };
	const encoder = new TextEncoder();
	const printed = logs.join("\n");
	const scrubbed = scrub(printed);
	const lines = scrubbed.split("\n");
	const kept: string[] = [];
	const handedOver = PYTHON_LIMITS.logBytes + CUT_SLACK_BYTES - CUT_TOLERANCE_BYTES;
	const wasCut = logs_truncated && encoder.encode(printed).length >= handedOver;
	const safeBytes = wasCut ? encoder.encode(scrubbed).length - CUT_SLACK_BYTES : Number.POSITIVE_INFINITY;
	let bytesLeft = Math.min(PYTHON_LIMITS.logBytes, safeBytes);
	for (const line of lines.slice(0, PYTHON_LIMITS.logLines)) {
		const bytes = encoder.encode(line);
		if (bytes.length > bytesLeft) {
			// A character that the cut splits is left out.
			const room = bytes.subarray(0, Math.max(bytesLeft, 0));
			const start = new TextDecoder().decode(room, { stream: true });
			if (start) kept.push(start);
			return { logs: kept, logs_truncated: true };
		}
		kept.push(line);
		bytesLeft -= bytes.length + 1;
	}
	return { logs: kept, logs_truncated: logs_truncated || kept.length < lines.length };
}

export const presentMessage = (message: string, scrub: ScrubText = (text) => text): string =>
	scrub(message).slice(0, MAX_MESSAGE);

/** The end of a traceback says what happened, so that is what stays. */
export const presentTraceback = (
	traceback: string | null,
	scrub: ScrubText = (text) => text,
): string | null => traceback && scrub(traceback).slice(-MAX_TRACEBACK);

import type { CallState } from "@parley/contracts/calls";

const ALONG: readonly CallState[] = ["queued", "dispatching", "ringing", "in_progress"];

export const isFinal = (state: CallState): boolean => !ALONG.includes(state);

/**
 * Whether a call may pass from one state to another: forward along queued, dispatching, ringing, in_progress, where a
 * report that got lost leaves one out; to failed or cancelled from each of them; to completed from in_progress. A final
 * state is left no more.
 */
export function canBecome(from: CallState, to: CallState): boolean {
	if (isFinal(from)) return false;
	if (to === "completed") return from === "in_progress";
	return isFinal(to) || ALONG.indexOf(to) > ALONG.indexOf(from);
}

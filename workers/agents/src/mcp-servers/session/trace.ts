import type { ConnectEvent } from "@parley/contracts/mcp-servers";

export type Trace = {
	events: ConnectEvent[];
	add: (direction: ConnectEvent["direction"], method: string, summary: string) => void;
	/** A text of the server or about it, fit to be shown: scrubbed, one line, no longer than `max`. */
	line: (text: string, max?: number) => string;
};

const MAX_EVENTS = 500;
const MAX_LINE = 300;

/** The ordered record of one connection. Nothing is cut before it is scrubbed, or half a secret would pass. */
export function createTrace(clock: () => Date, scrub: (text: string) => string): Trace {
	const events: ConnectEvent[] = [];
	const line = (text: string, max = MAX_LINE): string => {
		const single = scrub(text)
			.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ")
			.trim();
		return single.length > max ? `${single.slice(0, max - 1).toWellFormed()}…` : single;
	};
	const add: Trace["add"] = (direction, method, summary) => {
		if (events.length > MAX_EVENTS) return;
		const isLast = events.length === MAX_EVENTS;
		events.push({
			direction,
			method: line(method, 64),
			ts: clock().toISOString(),
			summary: isLast ? "Further events are left out" : line(summary),
		});
	};
	return { events, add, line };
}

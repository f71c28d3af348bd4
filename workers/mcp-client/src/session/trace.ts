import type { ConnectEvent } from "@parley/contracts/agents/mcp-servers";

export type Trace = {
	events: ConnectEvent[];
	add: (direction: ConnectEvent["direction"], method: string, summary: string) => void;
	/** A text of the server or about it, fit to be shown: scrubbed, one line, no longer than `max`. */
	line: (text: string, max?: number) => string;
};

const MAX_EVENTS = 500;
const MAX_LINE = 300;

type Scrub = (text: string) => string;

/**
 * The ordered record of one connection. Nothing is cut before it is scrubbed, or half a secret would pass: `scrub` takes out
 * all values of the vault, `scrubSent` the secrets alone, since where a request goes is told with its variables.
 */
export function createTrace(clock: () => Date, scrub: Scrub, scrubSent = scrub): Trace {
	const events: ConnectEvent[] = [];
	const line = (text: string, max = MAX_LINE): string => oneLine(scrub(text), max);
	const add: Trace["add"] = (direction, method, summary) => {
		if (events.length > MAX_EVENTS) return;
		const isLast = events.length === MAX_EVENTS;
		events.push({
			direction,
			method: line(method, 64),
			ts: clock().toISOString(),
			summary: isLast
				? "Further events are left out"
				: oneLine((direction === "sent" ? scrubSent : scrub)(summary), MAX_LINE),
		});
	};
	return { events, add, line };
}

function oneLine(text: string, max: number): string {
	const single = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
	return single.length > max ? `${single.slice(0, max - 1).toWellFormed()}…` : single;
}

import type { ConnectEvent } from "@parley/contracts/agents/mcp-servers";

export type Trace = {
	events: ConnectEvent[];
	add: (direction: ConnectEvent["direction"], method: string, summary: string) => void;
	/** Returns a text that is safe to show: scrubbed, one line, at most `max` characters. */
	line: (text: string, max?: number) => string;
};

const MAX_EVENTS = 500;
const MAX_LINE_CHARS = 300;

type Scrub = (text: string) => string;

/**
 * Records the events of one connection in order. Scrubs a text before it is cut, or half a secret could pass.
 * @param scrub removes all values of the vault
 * @param scrubSent removes secrets only, for sent requests: their addresses show variables
 */
export function createTrace(clock: () => Date, scrub: Scrub, scrubSent = scrub): Trace {
	const events: ConnectEvent[] = [];
	const line = (text: string, max = MAX_LINE_CHARS): string => oneLine(scrub(text), max);
	const add: Trace["add"] = (direction, method, summary) => {
		if (events.length > MAX_EVENTS) return;
		const isLast = events.length === MAX_EVENTS;
		events.push({
			direction,
			method: line(method, 64),
			ts: clock().toISOString(),
			summary: isLast
				? "Further events are left out"
				: oneLine((direction === "sent" ? scrubSent : scrub)(summary), MAX_LINE_CHARS),
		});
	};
	return { events, add, line };
}

function oneLine(text: string, max: number): string {
	const single = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
	return single.length > max ? `${single.slice(0, max - 1).toWellFormed()}…` : single;
}

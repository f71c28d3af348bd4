import type { UsageSearch } from "./usage-search.ts";

export type Days = { since: string; until: string };

const DAY_MS = 86_400_000;
const MONDAY = 1;
const LENGTHS = { "7d": 7, "30d": 30, "90d": 90 } as const;

const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const addDays = (day: string, days: number): string => toDay(startOf(day) + days * DAY_MS);

/** Returns the first and the last day of a range, in UTC. A week begins on Monday. */
export function daysOf({ range = "30d", since, until }: UsageSearch, now: number): Days {
	const today = toDay(now);
	const [year = 0, month = 0] = today.split("-").map(Number);
	switch (range) {
		case "week": {
			const monday = addDays(today, -((new Date(now).getUTCDay() - MONDAY + 7) % 7));
			return { since: addDays(monday, -7), until: addDays(monday, -1) };
		}
		case "month":
			return { since: `${today.slice(0, 8)}01`, until: today };
		case "last-month":
			return { since: toDay(Date.UTC(year, month - 2, 1)), until: toDay(Date.UTC(year, month - 1, 0)) };
		case "custom": {
			const last = until ?? today;
			return { since: since ?? addDays(last, -29), until: last };
		}
		default:
			return { since: addDays(today, 1 - LENGTHS[range]), until: today };
	}
}

export const countDays = ({ since, until }: Days): number => (startOf(until) - startOf(since)) / DAY_MS + 1;

const ranges = new Intl.DateTimeFormat(undefined, {
	...({ day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const),
});

/** Formats a range as people write it: `9–15 Nov 2026`. */
export const formatDays = ({ since, until }: Days): string =>
	ranges.formatRange(startOf(since), startOf(until));

/** Returns the days before, as many. */
export const daysBefore = (days: Days): Days => ({
	since: addDays(days.since, -countDays(days)),
	until: addDays(days.since, -1),
});

/** Lists every day of a range. */
export const listDays = (days: Days): string[] =>
	Array.from({ length: Math.max(0, countDays(days)) }, (_, index) => addDays(days.since, index));

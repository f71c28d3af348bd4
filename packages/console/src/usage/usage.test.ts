import type { UsageReport } from "@parley/contracts/platform/usage";
import { expect, test } from "vitest";
import { ticksFor, toLines } from "./amounts.ts";
import { countDays, daysBefore, daysOf, listDays } from "./days.ts";

const SUNDAY = Date.parse("2026-11-22T23:30:00Z");

test.each([
	["7d", "2026-11-16", "2026-11-22"],
	["30d", "2026-10-24", "2026-11-22"],
	["week", "2026-11-09", "2026-11-15"],
	["month", "2026-11-01", "2026-11-22"],
	["last-month", "2026-10-01", "2026-10-31"],
] as const)("the range %s is from %s to %s", (range, since, until) => {
	expect(daysOf({ range }, SUNDAY)).toEqual({ since, until });
});

test("last week ended on Sunday when today is Monday, and last month may lie in the year before", () => {
	const monday = Date.parse("2026-11-23T00:00:00Z");
	expect(daysOf({ range: "week" }, monday)).toEqual({ since: "2026-11-16", until: "2026-11-22" });
	const january = Date.parse("2027-01-05T00:00:00Z");
	expect(daysOf({ range: "last-month" }, january)).toEqual({ since: "2026-12-01", until: "2026-12-31" });
});

test("the days before are as many as the days", () => {
	const days = { since: "2026-11-16", until: "2026-11-22" };
	expect(countDays(days)).toBe(7);
	expect(daysBefore(days)).toEqual({ since: "2026-11-09", until: "2026-11-15" });
	expect(listDays(days)).toHaveLength(7);
});

test("a report by day has a line for each day, also without use", () => {
	const amounts = { requests: 1, jobs: 0, runs: 0, audio_seconds: 60, characters: 0, cost: null };
	const report: UsageReport = {
		...{ since: "2026-11-20", until: "2026-11-22", group_by: "day" },
		items: [{ day: "2026-11-21", ...amounts }],
		total: amounts,
	};
	expect(toLines(report, "minutes").map(({ id, amounts: { requests } }) => [id, requests])).toEqual([
		["2026-11-20", 0],
		["2026-11-21", 1],
		["2026-11-22", 0],
	]);
});

test("an axis has round steps and holds the highest bar", () => {
	expect(ticksFor(0, true)).toEqual([0, 1]);
	expect(ticksFor(3, true)).toEqual([0, 1, 2, 3]);
	expect(ticksFor(403, false)).toEqual([0, 200, 400, 600]);
	expect(ticksFor(0.3, false)).toEqual([0, 0.1, 0.2, 0.3]);
	for (const highest of [0.004, 1, 7, 12.5, 99, 1234, 98_765]) {
		const ticks = ticksFor(highest, false);
		expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest);
		expect(ticks.length).toBeLessThanOrEqual(7);
	}
});

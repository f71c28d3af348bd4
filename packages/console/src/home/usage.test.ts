import { expect, test } from "vitest";
import { niceCeiling, toDays } from "./usage.tsx";

const none = { requests: 0, jobs: 0, runs: 0, audio_seconds: 0, characters: 0, cost: null };

test("a report has every day, those without use too", () => {
	const report = {
		...{ since: "2026-02-27", until: "2026-03-01", group_by: "day" as const, total: none },
		items: [{ ...none, day: "2026-02-28", jobs: 3 }],
	};
	expect(toDays(report).map(({ day, jobs }) => [day, jobs])).toEqual([
		["2026-02-27", 0],
		["2026-02-28", 3],
		["2026-03-01", 0],
	]);
});

test("an axis ends at 1, 2 or 5 times a power of ten", () => {
	expect([0.3, 1, 13, 21, 400, 501].map(niceCeiling)).toEqual([0.5, 1, 20, 50, 500, 1000]);
});

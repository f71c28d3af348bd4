import type { Job } from "@parley/contracts/batch/jobs";
import { expect, test } from "vitest";
import { estimateSeconds, measureSpeed } from "./estimate.ts";
import { formatSeconds } from "./progress.ts";

const now = Date.parse("2026-01-01T00:01:00.000Z");
const job = (fields: object) =>
	({
		started_at: "2026-01-01T00:00:00.000Z",
		completed_at: null,
		progress: 0,
		input_metadata: { duration_seconds: 600 },
		...fields,
	}) as unknown as Job;

test("a job with progress ends at the pace of its own chunks", () => {
	expect(estimateSeconds(job({ progress: 0.25 }), now, 9)).toBe(180);
});

test("a job without progress ends at the speed of the jobs before it", () => {
	expect(estimateSeconds(job({}), now, 0.15)).toBe(30);
	expect(estimateSeconds(job({}), now, undefined)).toBeUndefined();
	expect(estimateSeconds(job({ started_at: null }), now, 0.15)).toBeUndefined();
});

test("a job that is slower than those before it has no estimate", () => {
	expect(estimateSeconds(job({}), now, 0.05)).toBeUndefined();
});

test("short recordings do not count in a model's speed", () => {
	const ended = (duration_seconds: number, seconds: number) =>
		job({
			completed_at: new Date(Date.parse("2026-01-01T00:00:00.000Z") + seconds * 1000).toISOString(),
			input_metadata: { duration_seconds },
		});
	expect(measureSpeed([ended(5, 5), ended(100, 10), ended(300, 30)])).toBe(0.1);
	expect(measureSpeed([ended(5, 5)])).toBeUndefined();
});

test("durations are formatted in two units at most", () => {
	expect([0.4, 59, 65, 3600, 7_325].map(formatSeconds)).toEqual([
		"0 s",
		"59 s",
		"1 min 05 s",
		"1 h 00 min",
		"2 h 02 min",
	]);
});

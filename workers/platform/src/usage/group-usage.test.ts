import fc from "fast-check";
import { expect, test } from "vitest";
import { groupUsage, type UsageRow } from "./group-usage.ts";

const rows: UsageRow[] = [
	{ day: "2026-11-20", modelCode: null, apiKeyId: "k1", requests: 7 },
	{ day: "2026-11-19", modelCode: "m", apiKeyId: "k1", jobs: 1, audio_seconds: 0.1 },
	{ day: "2026-11-20", modelCode: "m", apiKeyId: "k2", audio_seconds: 0.2 },
	{ day: "2026-11-20", modelCode: null, apiKeyId: null, runs: 2 },
];
const labels = new Map([["k1", "Production"]]);
const zero = { requests: 0, jobs: 0, runs: 0, audio_seconds: 0, characters: 0, cost: null };

test("by day, in order", () => {
	expect(groupUsage(rows, "day", labels).items).toEqual([
		{ ...zero, day: "2026-11-19", jobs: 1, audio_seconds: 0.1 },
		{ ...zero, day: "2026-11-20", requests: 7, audio_seconds: 0.2, runs: 2 },
	]);
});

test("by model and by key, with what had none under null", () => {
	expect(groupUsage(rows, "model", labels).items).toMatchObject([
		{ model_code: null, requests: 7, runs: 2 },
		{ model_code: "m", jobs: 1, audio_seconds: 0.3 },
	]);
	expect(groupUsage(rows, "key", labels).items).toMatchObject([
		{ api_key_id: null, api_key_label: null, runs: 2 },
		{ api_key_id: "k1", api_key_label: "Production", requests: 7, jobs: 1 },
		{ api_key_id: "k2", api_key_label: null, audio_seconds: 0.2 },
	]);
});

test("however it is grouped, the groups add up to the total", () => {
	const row = fc.record({
		day: fc.constantFrom("2026-11-19", "2026-11-20"),
		modelCode: fc.constantFrom(null, "m1", "m2"),
		apiKeyId: fc.constantFrom(null, "k1", "k2"),
		requests: fc.nat(1000),
		audio_seconds: fc.nat(1000),
	});
	fc.assert(
		fc.property(
			fc.array(row),
			fc.constantFrom("day" as const, "model" as const, "key" as const),
			(used, by) => {
				const { items, total } = groupUsage(used, by, labels);
				for (const name of ["requests", "audio_seconds"] as const)
					expect(items.reduce((sum, item) => sum + item[name], 0)).toBe(total[name]);
			},
		),
	);
});

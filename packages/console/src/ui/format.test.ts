import { describe, expect, test } from "vitest";
import { formatDistance } from "./format.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const at = (seconds: number) => formatDistance(new Date(NOW + seconds * 1000).toISOString(), NOW);

describe("formatDistance", () => {
	test("what a server's clock puts a little ahead is now", () => {
		expect([-9, 0, 13, 29].map(at)).toEqual(["now", "now", "now", "now"]);
	});

	test("the past and what is really to come keep their distance", () => {
		expect(at(-40)).toMatch(/40 sec.* ago/);
		expect(at(-120)).toMatch(/2 min.* ago/);
		expect(at(120)).toMatch(/^in 2 min/);
		expect(at(8 * 86_400)).toBeUndefined();
	});
});

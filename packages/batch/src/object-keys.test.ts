import fc from "fast-check";
import { expect, test } from "vitest";
import { inputKey, safeFilename } from "./object-keys.ts";

test.each([
	["talk.mp3", "talk.mp3"],
	["/etc/../talk.mp3", "talk.mp3"],
	["C:\\audio\\talk.mp3", "talk.mp3"],
	["über + uns (1).wav", "über_+_uns_1_.wav"],
	["会議.m4a", "会議.m4a"],
	["..", "audio"],
	["", "audio"],
	[".hidden", "hidden"],
	[".mp3", "mp3"],
	["a/b/", "audio"],
	["a?b#c%d", "a_b_c_d"],
])("%j becomes %j", (name, safe) => {
	expect(safeFilename(name)).toBe(safe);
});

test("a very long name keeps its extension", () => {
	const safe = safeFilename(`${"ä".repeat(500)}.flac`);
	expect(safe).toMatch(/^ä+\.flac$/);
	expect(new TextEncoder().encode(safe).byteLength).toBeLessThanOrEqual(180);
});

test("any name is safe, short, well formed, and stays as it is when it is made safe again", () => {
	const anyName = fc.oneof(
		fc.string(),
		fc.string({ unit: "binary" }),
		fc.string({ minLength: 100, maxLength: 400 }),
	);
	fc.assert(
		fc.property(anyName, (name) => {
			const safe = safeFilename(name);
			expect(safe).toMatch(/^[\p{L}\p{M}\p{N}+-][\p{L}\p{M}\p{N}._+-]*$/u);
			expect(new TextEncoder().encode(safe).byteLength).toBeLessThanOrEqual(180);
			expect(safe.isWellFormed()).toBe(true);
			expect(safeFilename(safe)).toBe(safe);
		}),
	);
});

test("a key has the organisation and the job in front of the name", () => {
	expect(inputKey({ organisationId: "org", jobId: "job1" }, "a/b.wav")).toBe("inputs/org/job1/b.wav");
});

import { sha256Hex } from "@parley/bytes/sha256";
import fc from "fast-check";
import { expect, test } from "vitest";
import { labelledHash } from "./hash.ts";
import { CanonicalJsonError } from "./jcs.ts";

test("a labelled hash covers the label line and the canonical text", async () => {
	expect(await labelledHash("parley.tool.v1", { b: 1, a: "é" })).toBe(
		await sha256Hex('parley.tool.v1\n{"a":"é","b":1}'),
	);
});

test("equal values under different labels have different hashes", async () => {
	await fc.assert(
		fc.asyncProperty(fc.jsonValue(), async (value) => {
			expect(await labelledHash("a.v1", value)).not.toBe(await labelledHash("a.v2", value));
		}),
	);
});

test("a label is one line, since a second one would let two inputs share a text", async () => {
	await expect(labelledHash("a\nb", 1)).rejects.toThrow(RangeError);
	await expect(labelledHash("", 1)).rejects.toThrow(RangeError);
});

test("what is not JSON has no hash", async () => {
	await expect(labelledHash("a.v1", { at: new Date() })).rejects.toThrow(CanonicalJsonError);
});

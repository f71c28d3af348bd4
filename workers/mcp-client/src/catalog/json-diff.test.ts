import { canonicalJson } from "@parley/canonical/jcs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { diffJson, MAX_DIFFERENCES } from "./json-diff.ts";

const json = fc.jsonValue({ maxDepth: 4 });

/** Resolves a JSON Pointer (RFC 6901). */
function resolve(root: unknown, pointer: string): unknown {
	const keys = pointer.split("/").slice(1);
	return keys
		.map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"))
		.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], root);
}

test("each difference contains the values at its path before and after", () => {
	fc.assert(
		fc.property(json, json, (before, after) => {
			for (const { op, path, from, to, truncated } of diffJson(before, after).differences) {
				if (truncated) continue;
				expect(from).toEqual(op === "added" ? null : resolve(before, path));
				expect(to).toEqual(op === "removed" ? null : resolve(after, path));
			}
		}),
	);
});

test("only equal values have no differences", () => {
	fc.assert(
		fc.property(json, json, (before, after) => {
			const { differences } = diffJson(before, after);
			expect(differences.length === 0).toBe(canonicalJson(before) === canonicalJson(after));
			expect(diffJson(before, before).differences).toEqual([]);
		}),
	);
});

test("the order of properties makes no difference", () => {
	expect(diffJson({ a: 1, b: [1, { c: 1, d: 2 }] }, { b: [1, { d: 2, c: 1 }], a: 1 }).differences).toEqual(
		[],
	);
});

test("a list of values is compared as a whole, a list of schemas by index", () => {
	const before = { required: ["a"], anyOf: [{ type: "string" }, { type: "null" }] };
	const after = { required: ["a", "b"], anyOf: [{ type: "integer" }, { type: "null" }, { type: "array" }] };
	expect(diffJson(before, after).differences).toEqual([
		{ op: "changed", path: "/anyOf/0/type", from: "string", to: "integer", truncated: false },
		{ op: "added", path: "/anyOf/2", from: null, to: { type: "array" }, truncated: false },
		{ op: "changed", path: "/required", from: ["a"], to: ["a", "b"], truncated: false },
	]);
});

test("long texts are cut, large values are left out, and there are at most 100 differences", () => {
	const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [String(i), i]));
	const all = diffJson({}, many);
	expect(all.differences).toHaveLength(MAX_DIFFERENCES);
	expect(all.truncated).toBe(true);
	const [large, text] = diffJson({}, { a: { list: "x".repeat(3_000) }, b: "y".repeat(1_001) }).differences;
	expect(large).toMatchObject({ op: "added", path: "/a", to: null, truncated: true });
	expect(text?.to).toHaveLength(1_000);
	expect(text?.truncated).toBe(true);
});

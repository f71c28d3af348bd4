import fc from "fast-check";
import { expect, test } from "vitest";
import { diffCatalogs, type Hashes, hasChanges } from "./catalog-diff.ts";

const name = fc.oneof(
	fc.constantFrom("a", "b", "c", "constructor", "__proto__"),
	fc.string({ maxLength: 4 }),
);
const catalog = fc
	.array(fc.tuple(name, fc.constantFrom("1", "2", "3")), { maxLength: 12 })
	.map((entries): Hashes => Object.fromEntries(entries));

test("applying a diff to the first list gives the second", () => {
	fc.assert(
		fc.property(catalog, catalog, (before, after) => {
			const { added, removed, changed } = diffCatalogs(before, after);
			const left = Object.entries(before).filter(([tool]) => !removed.includes(tool));
			const taken = [...added, ...changed].map((tool): [string, string] => [tool, after[tool]!]);
			expect(Object.fromEntries([...left, ...taken])).toEqual(after);
		}),
	);
});

test("a tool is either added, removed or changed", () => {
	fc.assert(
		fc.property(catalog, catalog, (before, after) => {
			const { added, removed, changed } = diffCatalogs(before, after);
			const all = [...added, ...removed, ...changed];
			expect(new Set(all).size).toBe(all.length);
		}),
	);
});

test("only equal lists have no changes, and the reverse diff swaps added and removed", () => {
	fc.assert(
		fc.property(catalog, catalog, (before, after) => {
			const there = diffCatalogs(before, after);
			const back = diffCatalogs(after, before);
			expect(back).toEqual({ added: there.removed, removed: there.added, changed: there.changed });
			const sorted = (hashes: Hashes) => JSON.stringify(Object.entries(hashes).sort());
			expect(hasChanges(there)).toBe(sorted(before) !== sorted(after));
		}),
	);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeWindow } from "./merge-window.ts";

const byNameThenId = (a: { name: string; id: string }, b: { name: string; id: string }) =>
	a.name < b.name || (a.name === b.name && a.id < b.id) ? -1 : 1;

const item = fc.record({ name: fc.constantFrom(..."abcdefgh"), id: fc.uuid() });
const list = fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 20 });

test("a window of two merged lists is what slicing the whole merged list gives", () => {
	fc.assert(
		fc.property(list, list, fc.nat(45), fc.integer({ min: 1, max: 20 }), (first, second, offset, limit) => {
			const all = first.toSorted(byNameThenId);
			const others = second.toSorted(byNameThenId);
			const start = Math.max(0, offset - all.length);
			const part = others.slice(start, offset + limit);
			expect(mergeWindow({ all, part, start, offset, limit })).toEqual(
				[...all, ...others].toSorted(byNameThenId).slice(offset, offset + limit),
			);
		}),
	);
});

import { expect, test } from "vitest";
import { byteRangeOf } from "./byte-range.ts";

test.each([
	[null, undefined],
	["bytes=0-", { offset: 0, length: 100 }],
	["bytes=10-19", { offset: 10, length: 10 }],
	["bytes=90-1000", { offset: 90, length: 10 }],
	["bytes=-5", { offset: 95, length: 5 }],
	["bytes=-500", { offset: 0, length: 100 }],
	["bytes=100-", "unsatisfiable"],
	["bytes=-0", "unsatisfiable"],
	["bytes=20-10", undefined],
	["bytes=0-1,5-6", undefined],
	["bytes=-", undefined],
	["items=0-1", undefined],
	["bytes=99999999999999999999-", "unsatisfiable"],
])("of 100 bytes, %s selects %j", (header, range) => {
	expect(byteRangeOf(header, 100)).toEqual(range);
});

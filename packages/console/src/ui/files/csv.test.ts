import { expect, test } from "vitest";
import { toCsv } from "./csv.ts";

test("a CSV quotes what it must, and a formula stays text", async () => {
	const csv = toCsv(
		["name", "count"],
		[
			['Say "hi", twice', 2],
			["=1+1", null],
			["plain", 0.5],
		],
	);
	expect(await csv.text()).toBe('name,count\r\n"Say ""hi"", twice",2\r\n\'=1+1,\r\nplain,0.5\r\n');
});

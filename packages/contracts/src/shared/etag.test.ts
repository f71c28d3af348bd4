import { expect, test } from "vitest";
import { assertIfMatch, etagOf, matchesNone } from "./etag.ts";

const tool = { id: "t1", revision: 3 };

test("a tag is strong, quoted and moves with the value", async () => {
	expect(await etagOf(tool)).toMatch(/^"[0-9a-f]{32}"$/);
	expect(await etagOf({ ...tool })).toBe(await etagOf(tool));
	expect(await etagOf({ ...tool, revision: 4 })).not.toBe(await etagOf(tool));
});

test("a change goes ahead without If-Match, with the current tag, with one of several, and with *", async () => {
	const tag = await etagOf(tool);
	for (const ifMatch of [undefined, tag, `"other", ${tag}`, "*", " * "])
		await assertIfMatch({ ifMatch }, tool);
});

test("a change is refused for another tag, a weak one, and text that is none", async () => {
	const tag = await etagOf(tool);
	for (const ifMatch of ['"other"', `W/${tag}`, tag.slice(1, -1), "", "nonsense"]) {
		await expect(assertIfMatch({ ifMatch }, tool)).rejects.toMatchObject({ code: "PRECONDITION_FAILED" });
	}
});

test("a read is fresh for its tag, weak or strong, and for *", () => {
	expect(matchesNone(undefined, '"a"')).toBe(true);
	expect(matchesNone('"b"', '"a"')).toBe(true);
	expect(matchesNone('"b", W/"a"', '"a"')).toBe(false);
	expect(matchesNone("*", '"a"')).toBe(false);
});

import { expect, test } from "vitest";
import { partingWord } from "./interrupt.ts";

test("an interrupted job is named with the command that gives its transcript", () => {
	expect(partingWord("a.mp3", { at: "job", jobId: "job1" }, "srt")).toBe(
		"a.mp3: job1 goes on; `parley transcript job1 --format srt` gives what it hears",
	);
});

test("an unfinished upload in parts is told from one that is no job yet", () => {
	expect(partingWord("a.mp3", { at: "parts" }, "txt")).toContain("the same command goes on with it");
	expect(partingWord("a.mp3", { at: "unsent" }, "txt")).toContain("give the same command again");
	expect(partingWord("a.mp3", { at: "ended" }, "txt")).toBeUndefined();
});

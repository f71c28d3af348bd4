import { expect, test } from "vitest";
import { describeInterrupted } from "./interrupt.ts";

test("an interrupted job is named with the command that prints its transcript", () => {
	expect(describeInterrupted("a.mp3", { at: "job", jobId: "job1" }, "srt")).toBe(
		"a.mp3: job1 continues; `parley transcript job1 --format srt` prints its transcript",
	);
});

test("an unfinished upload in parts is told from an input without a job", () => {
	expect(describeInterrupted("a.mp3", { at: "parts" }, "txt")).toContain("same command again to resume it");
	expect(describeInterrupted("a.mp3", { at: "unsent" }, "txt")).toContain("run the same command again");
	expect(describeInterrupted("a.mp3", { at: "ended" }, "txt")).toBeUndefined();
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { asAttachment, downloadName, inputKey, outputKey, safeFilename } from "./media.ts";

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

test("a transcript is downloaded under the name of its input, and an input under its own", () => {
	const owner = { organisationId: "org", jobId: "job1" };
	const input = inputKey(owner, "board meeting.final.mp3");
	expect(downloadName(input, input)).toBe("board_meeting.final.mp3");
	expect(downloadName(outputKey(owner, "srt"), input)).toBe("board_meeting.final.srt");
	expect(downloadName(outputKey(owner, "json"), null)).toBe("transcript.json");
	expect(downloadName(outputKey(owner, "vtt"), inputKey(owner, "audio"))).toBe("audio.vtt");
});

test("a download is an attachment, whatever the script of its name", () => {
	expect(asAttachment("a.wav")).toBe('attachment;filename="a.wav"');
	expect(asAttachment("Gespräch_日本.mp3")).toBe(
		"attachment;filename=\"Gespr_ch___.mp3\";filename*=UTF-8''Gespr%C3%A4ch_%E6%97%A5%E6%9C%AC.mp3",
	);
});

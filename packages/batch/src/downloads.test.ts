import { expect, test } from "vitest";
import { asAttachment, downloadName } from "./downloads.ts";
import { inputKey, outputKey } from "./object-keys.ts";

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

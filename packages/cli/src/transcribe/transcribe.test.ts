import { expect, test } from "vitest";
import { checkFiles, outputPaths } from "./transcribe.ts";

const options = { out: "texts", format: "srt", wait: true };

test("each transcript has a file of its own, named after its input", () => {
	expect(outputPaths(["a/call.mp3", "call.wav", "https://x.example/talk.m4a?sig=1"], options)).toEqual([
		"texts/call.mp3.srt",
		"texts/call.wav.srt",
		"texts/talk.m4a.srt",
	]);
});

test("two inputs of one name are refused before anything is sent", () => {
	expect(() => outputPaths(["a/call.mp3", "b/call.mp3"], options)).toThrow("a/call.mp3 and b/call.mp3");
});

test("output goes to standard output without a folder or without waiting", () => {
	expect(outputPaths(["a.mp3"], { format: "txt", wait: true })).toEqual([undefined]);
	expect(outputPaths(["a.mp3"], { ...options, wait: false })).toEqual([undefined]);
});

test("one file that cannot be sent keeps all from being sent, and each such file is named", () => {
	const here = import.meta.filename;
	expect(() => checkFiles([here])).not.toThrow();
	expect(() => checkFiles([here, "gone.wav", import.meta.dirname])).toThrow(
		`gone.wav: there is no such file; ${import.meta.dirname}: not a file. Nothing was sent`,
	);
	expect(() => checkFiles(["/dev/null"])).toThrow("/dev/null: not a file");
});

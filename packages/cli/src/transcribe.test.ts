import { expect, test } from "vitest";
import { outputPaths } from "./transcribe.ts";

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

test("without a folder, or without waiting, all goes to standard output", () => {
	expect(outputPaths(["a.mp3"], { format: "txt", wait: true })).toEqual([undefined]);
	expect(outputPaths(["a.mp3"], { ...options, wait: false })).toEqual([undefined]);
});

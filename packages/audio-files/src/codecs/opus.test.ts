import { describe, expect, test } from "vitest";
import { opusVoice } from "./opus.ts";

describe("an Opus packet", () => {
	test.each([
		["speech, one frame", [0x48, 0x80, 1, 2, 3], 0],
		["a pause, one frame", [0x48, 0x00, 1, 2, 3], -40],
		["speech, in two frames of their own length", [0x4a, 2, 0x80, 1, 2, 3, 4], 0],
		["speech, in padded frames", [0x4b, 0x41, 1, 0x80, 1, 2, 3, 4, 0], 0],
		["nothing", [0xf8, 0xff, 0xfe], -120],
		["music", [0xf8, 1, 2, 3, 4, 5, 6], null],
	])("says that it holds %s", (_what, bytes, expected) => {
		expect(opusVoice(Uint8Array.from(bytes))).toBe(expected);
	});
});

import { describe, expect, test } from "vitest";
import { opusVoiceLevel } from "./opus.ts";

describe("opusVoiceLevel", () => {
	test.each([
		["speech in one frame", [0x48, 0x80, 1, 2, 3], 0],
		["a pause in one frame", [0x48, 0x00, 1, 2, 3], -40],
		["speech in two frames of different length", [0x4a, 2, 0x80, 1, 2, 3, 4], 0],
		["speech in padded frames", [0x4b, 0x41, 1, 0x80, 1, 2, 3, 4, 0], 0],
		["no content", [0xf8, 0xff, 0xfe], -120],
		["music", [0xf8, 1, 2, 3, 4, 5, 6], null],
	])("a packet with %s has the level of its content", (_, bytes, expected) => {
		expect(opusVoiceLevel(Uint8Array.from(bytes))).toBe(expected);
	});
});

import { fixture } from "@parley/audio-files/recordings.fixture";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PcmHead } from "./pcm-head.ts";

/** Returns the format that a stream of these bytes is taken for, sent in frames of this size. */
function judge(bytes: Uint8Array, frameBytes = 3200): string | undefined {
	const head = new PcmHead();
	for (let at = 0; at < bytes.byteLength; at += frameBytes) {
		const format = head.add(bytes.subarray(at, at + frameBytes));
		if (format !== undefined) return format;
	}
	return head.end();
}

const toBytes = (samples: Int16Array) => new Uint8Array(samples.slice().buffer);
const RATE = 16_000;
/** A voice's fundamental and some of its overtones, swelling and fading. */
const voice = (length: number, level: number, hertz: number, hiss: number) =>
	Int16Array.from({ length }, (_, at) => {
		const envelope = Math.abs(Math.sin((Math.PI * 3 * at) / RATE));
		const tones = [1, 2, 3, 5].map((n) => Math.sin((2 * Math.PI * hertz * n * at) / RATE) / n);
		const sum = tones.reduce((all, tone) => all + tone, 0) / 2;
		return Math.max(-32_768, Math.min(32_767, level * (envelope * sum + hiss * (Math.random() - 0.5))));
	});

describe("a file is recognised by its first bytes:", () => {
	test.each([
		["speech.wav", "a WAV file"],
		["rf64.wav", "a WAV file"],
		["speech.flac", "a FLAC file"],
		["speech.opus", "an Ogg file"],
		["vorbis.ogg", "an Ogg file"],
		["moov-first.m4a", "an MP4 or M4A file"],
		["fragmented.m4a", "an MP4 or M4A file"],
		["speech.webm", "a WebM file"],
		["speech.amr", "an AMR file"],
		["cbr.mp3", "an MP3 file"],
		["vbr-no-header.mp3", "an MP3 file"],
		["picture.mp3", "an MP3 file"],
		["layer2.mp2", "an MP3 file"],
		["speech.aac", "an AAC file"],
		["speech.ts", "an MPEG stream"],
		["program.mpg", "an MPEG stream"],
	])("%s is %s", (name, format) => {
		for (const frameBytes of [7, 320, 3200, 1_000_000]) expect(judge(fixture(name), frameBytes)).toBe(format);
	});

	test("a signature is enough, before anything could be recognised", () => {
		expect(new PcmHead().add(fixture("speech.wav").subarray(0, 44))).toBe("a WAV file");
	});
});

test.each(["speech.wma", "speech.aiff"])(
	"a file that Parley does not read is another kind of file: %s",
	(name) => {
		expect(judge(fixture(name))).toBe("another kind of file");
	},
);

test.each(["cbr.mp3", "moov-first.m4a", "vorbis.ogg", "speech.flac"])(
	"compressed bytes without their beginning are no PCM: %s",
	(name) => {
		expect(judge(fixture(name).subarray(5001))).toBe("compressed audio, or noise");
	},
);

test("text is no PCM", () => {
	expect(judge(new TextEncoder().encode('{"audio":"AAAA"}'.repeat(400)))).toBe("another kind of file");
});

test("speech in a recording is PCM, from wherever it begins", () => {
	const samples = fixture("speech.wav").slice(44);
	for (let at = 0; at + 8000 < samples.byteLength; at += 2000)
		expect(judge(samples.subarray(at))).toBeUndefined();
});

test("a voice of any pitch and level, in silence or in noise, is PCM", () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 0, max: 30_000 }),
			fc.integer({ min: 1, max: 120_000 }),
			fc.integer({ min: 60, max: 400 }),
			fc.constantFrom(0, 0.01, 0.3),
			(length, level, hertz, hiss) => {
				expect(judge(toBytes(voice(length, level, hertz, hiss)))).toBeUndefined();
			},
		),
		{ numRuns: 60 },
	);
});

test("quiet noise, silence and a loud test tone are PCM", () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 3000 }), (level) => {
			const noise = Int16Array.from({ length: 10_000 }, () => level * (Math.random() - 0.5));
			expect(judge(toBytes(noise))).toBeUndefined();
		}),
		{ numRuns: 60 },
	);
	expect(judge(new Uint8Array(40_000))).toBeUndefined();
	for (const hertz of [100, 1000, 3999, 4000, 7000]) {
		const tone = Int16Array.from(
			{ length: 10_000 },
			(_, at) => 32_000 * Math.sin((2 * Math.PI * hertz * at) / RATE),
		);
		expect(judge(toBytes(tone))).toBeUndefined();
	}
});

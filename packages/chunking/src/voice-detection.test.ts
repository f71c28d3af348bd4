import { type AudioSource, bytesSource } from "@parley/audio-files/audio-source";
import { fixture, fixtureSource } from "@parley/audio-files/recordings.fixture";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkFile } from "./chunk-file.fixture.ts";
import { VOICE_RULES } from "./levels.ts";
import type { Span } from "./spans.ts";
import { detectVoice, LevelTrack, MIN_SILENCE_SECONDS, type VoiceDetection } from "./voice-detection.ts";

/** Detects voice in a file of one chunk. */
async function detect(source: AudioSource): Promise<VoiceDetection> {
	const { slices } = await chunkFile(source, {});
	if (!slices[0] || slices.length > 1) throw new Error("Not one chunk");
	return slices[0].voice;
}

const inside = (spans: readonly Span[], at: number) =>
	spans.some((span) => at >= span.start && at < span.end);

/** Returns the share of the time of `spans` that lies in `within`. */
function share(spans: readonly Span[], within: readonly Span[]): number {
	const times = Array.from({ length: 1220 }, (_, index) => index / 100).filter((at) => inside(spans, at));
	return times.filter((at) => inside(within, at)).length / times.length;
}

/** Sample rate of the speech among the fixtures. */
const RATE = 8000;

/** Writes 16-bit mono samples into a WAV file. */
function wavOf(samples: Int16Array): Uint8Array<ArrayBuffer> {
	const bytes = new Uint8Array(44 + samples.length * 2);
	const head = fixture("speech.wav").subarray(0, 44);
	bytes.set(head);
	bytes.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), 44);
	const view = new DataView(bytes.buffer);
	view.setUint32(4, bytes.length - 8, true);
	view.setUint32(40, samples.length * 2, true);
	return bytes;
}

function speechSamples(): Int16Array {
	const bytes = fixture("speech.wav").slice(44);
	return new Int16Array(bytes.buffer, 0, bytes.length >> 1);
}

/** Creates a generator of repeatable noise between -1 and 1. */
function noise(): () => number {
	let state = 1;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 31 - 1;
	};
}

const level = (samples: Int16Array) =>
	10 * Math.log10(samples.reduce((sum, value) => sum + value * value, 0) / samples.length / 2 ** 30);

describe("voiced spans", () => {
	const agreeing = [
		"cbr.mp3",
		"vbr.mp3",
		"mp3.mkv",
		"speech.flac",
		"speech.opus",
		"constant.opus",
		"speech.webm",
		"opus.mp4",
		"speech.amr",
		"amr.3gp",
	];
	test.each(agreeing)("the voiced spans of %s match those of the samples", async (name) => {
		const { voiced: truth } = await detect(fixtureSource("speech.wav"));
		const { voiced } = await detect(fixtureSource(name));
		// AMR marks a few frames after each speech as speech.
		expect(share(voiced ?? [], truth ?? [])).toBeGreaterThan(/amr/.test(name) ? 0.9 : 0.95);
		expect(share(truth ?? [], voiced ?? [])).toBeGreaterThan(0.95);
	});

	test.each(["speech.aac", "moov-last.m4a", "fragmented.m4a", "speech.ts", "video.mp4"])(
		"the voiced spans of %s match those of the samples, except for softer parts",
		async (name) => {
			const { voiced: truth } = await detect(fixtureSource("speech.wav"));
			const { voiced } = await detect(fixtureSource(name));
			expect(share(voiced ?? [], truth ?? [])).toBeGreaterThan(0.95);
			expect(share(truth ?? [], voiced ?? [])).toBeGreaterThan(0.6);
		},
	);

	test.each(["vorbis.ogg", "vorbis.mkv", "layer2.mp2", "mp2.ts", "alac.m4a"])(
		"the voiced spans of %s are unknown",
		async (name) => {
			expect((await detect(fixtureSource(name))).voiced).toBeNull();
		},
	);

	test("speech 50 dB below full scale has the same voiced spans as at full volume", async () => {
		const loud = speechSamples();
		const factor = 10 ** ((-50 - level(loud)) / 20);
		const { voiced } = await detect(bytesSource(wavOf(loud.map((value) => value * factor))));
		const { voiced: truth } = await detect(fixtureSource("speech.wav"));
		expect(share(voiced ?? [], truth ?? [])).toBeGreaterThan(0.95);
		expect(share(truth ?? [], voiced ?? [])).toBeGreaterThan(0.95);
	});

	test("voiced spans are found in noise 20 dB below the speech", async () => {
		const loud = speechSamples();
		const amplitude = 32768 * 10 ** ((level(loud) - 20) / 20) * Math.sqrt(3);
		const random = noise();
		const noisy = loud.map((value) => Math.max(-32768, Math.min(32767, value + amplitude * random())));
		const { voiced, silent } = await detect(bytesSource(wavOf(noisy)));
		const { voiced: truth } = await detect(fixtureSource("speech.wav"));
		expect(share(voiced ?? [], truth ?? [])).toBeGreaterThan(0.9);
		expect(share(truth ?? [], voiced ?? [])).toBeGreaterThan(0.9);
		expect(silent).toEqual([]);
	});

	test("the voiced spans of steady noise are unknown", async () => {
		const random = noise();
		const samples = new Int16Array(RATE * 20).map(() => 1000 * random());
		expect((await detect(bytesSource(wavOf(samples)))).voiced).toBeNull();
	});
});

describe("silent spans", () => {
	test("a file of zeros is silent as a whole", async () => {
		const found = await detect(bytesSource(wavOf(new Int16Array(RATE * 20))));
		expect(found.voiced).toEqual([]);
		expect(found.silent).toEqual([{ start: 0, end: expect.closeTo(20, 3) }]);
		expect(found.isSilent).toBe(true);
	});

	test("silent spans lie between words and never reach far into their edges", async () => {
		const speech = speechSamples();
		for (const gain of [1, 0.1, 10 ** ((-50 - level(speech)) / 20)]) {
			const samples = new Int16Array(speech.length + RATE * 3);
			const at = RATE * 3.6;
			samples.set(speech.subarray(0, at).map((value) => value * gain));
			samples.set(
				speech.subarray(at).map((value) => value * gain),
				at + RATE * 3,
			);
			const { silent } = await detect(bytesSource(wavOf(samples)));
			expect(silent).toHaveLength(1);
			expect(silent[0]?.start).toBeGreaterThan(2.9);
			expect(silent[0]?.end).toBeLessThan(7.1);
			expect(inside(silent, 5)).toBe(true);
		}
	});

	test("a faint recording of speech has no silent spans", async () => {
		const speech = speechSamples();
		const factor = 10 ** ((-66 - level(speech)) / 20);
		const { silent, voiced, isSilent } = await detect(
			bytesSource(wavOf(speech.map((value) => value * factor))),
		);
		expect(silent).toEqual([]);
		expect(isSilent).toBe(false);
		expect(voiced?.length).toBeGreaterThan(0);
	});
});

describe("detected spans", () => {
	const levels = fc.array(
		fc.record({
			level: fc.oneof(fc.constant(null), fc.constant(-120), fc.double({ min: -120, max: 100, noNaN: true })),
			seconds: fc.constantFrom(0.02, 0.026, 0.1, 0.6),
			times: fc.integer({ min: 1, max: 60 }),
		}),
		{ maxLength: 40, size: "max" },
	);

	test("detected spans are in order, without overlap and within the chunk, whatever the levels", () => {
		fc.assert(
			fc.property(
				levels,
				fc.constantFrom(...Object.values(VOICE_RULES).filter((rules) => rules !== null)),
				(runs, rules) => {
					const track = new LevelTrack();
					for (const { level, seconds, times } of runs) {
						for (let index = 0; index < times; index++) track.add(level, seconds);
					}
					const { voiced, silent, durationSeconds } = detectVoice(track, rules);
					for (const spans of [voiced ?? [], silent]) {
						spans.forEach((span, index) => {
							expect(span.start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0);
							expect(span.end).toBeGreaterThan(span.start);
							expect(span.end).toBeLessThanOrEqual(durationSeconds + 0.05);
						});
					}
					for (const { start, end } of silent)
						expect(end - start).toBeGreaterThanOrEqual(MIN_SILENCE_SECONDS);
				},
			),
		);
	});
});

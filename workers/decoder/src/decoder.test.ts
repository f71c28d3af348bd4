import { exports } from "cloudflare:workers";
import { fixture, SPEECH_FILES } from "@parley/audio-files/recordings.fixture";
import { DECODED_RATE, type DecodeAudio } from "@parley/contracts/internal/decoder-rpc";
import { wave } from "@parley/testing/wave";
import { describe, expect, test } from "vitest";
import { correlation, pitch, randomNumbers, samplesOf, tone } from "../test/signal.ts";

const decode = (file: Uint8Array, options: Partial<DecodeAudio> = {}) =>
	exports.Decoder.decode({ file, maxSeconds: 60, ...options });

async function decoded(file: Uint8Array, options: Partial<DecodeAudio> = {}) {
	const answer = await decode(file, options);
	if (!answer.ok) throw new Error(answer.reason);
	return { ...answer, samples: samplesOf(answer.wav) };
}

describe("decoding of every format", () => {
	/** Returns the minimum correlation with the original. Telephone codecs keep the words but not the waveform. */
	const minCorrelation = (name: string) =>
		/wav|flac|alac/.test(name) ? 0.999 : /amr/.test(name) ? 0.5 : /opus|webm/.test(name) ? 0.8 : 0.98;
	const lengths: Record<string, number> = {
		"wideband.amr": 12,
		"alac.m4a": 1,
		"flac.mkv": 4,
		"flac-in-ogg.ogg": 2,
		"layer2.mp2": 2,
		"mpeg1.mpg": 4,
		"program.mpg": 4,
	};
	const names = SPEECH_FILES.filter((name) => name !== "chained.opus");

	test.each([...new Set([...names, ...Object.keys(lengths)])])(
		"the audio of %s matches the original",
		async (name) => {
			const original = samplesOf((await decoded(fixture("speech.wav"))).wav);
			const { samples, seconds, channels } = await decoded(fixture(name));
			expect(channels).toBe(1);
			// Encoders may delay the start, and the last packet is complete.
			expect(seconds).toBeGreaterThan((lengths[name] ?? 12) - 0.03);
			expect(seconds).toBeLessThan((lengths[name] ?? 12) + 0.2);
			expect(correlation(original, samples, 0.14 * DECODED_RATE)).toBeGreaterThan(minCorrelation(name));
		},
	);

	test.each(["u8", "s24", "s32", "f32", "f64", "alaw", "ulaw", "streamed", "rf64"])(
		"the samples of %s.wav match the original",
		async (kind) => {
			const original = samplesOf((await decoded(fixture("speech.wav"))).wav);
			const { samples, seconds } = await decoded(fixture(`${kind}.wav`));
			expect(seconds).toBe(0.25);
			expect(correlation(original, samples, 0)).toBeGreaterThan(kind === "u8" ? 0.9 : 0.99);
		},
	);
});

describe("channels", () => {
	const HERTZ = [300, 700, 1100];
	const file = wave({ rate: 44_100, channels: 3, seconds: 1 }, (time, channel) =>
		channel === 2 ? 0 : tone(HERTZ[channel] ?? 0)(time),
	);

	test("each channel can be selected and keeps its loudness", async () => {
		for (const [channel, hertz] of [300, 700].entries()) {
			const { samples, channels, peak } = await decoded(file, { channel });
			expect(channels).toBe(3);
			expect(peak).toBeCloseTo(0.5, 2);
			expect(Math.abs(pitch(samples, DECODED_RATE) - hertz)).toBeLessThan(3);
		}
	});

	test("a silent channel is silent, and so is a missing one", async () => {
		expect(await decoded(file, { channel: 2 })).toMatchObject({ peak: 0, seconds: 1 });
		expect(await decoded(file, { channel: 7 })).toMatchObject({ peak: 0, seconds: 1 });
	});

	test("all channels are mixed by default", async () => {
		const both = wave({ rate: 48_000, channels: 2, seconds: 1 }, (time, channel) =>
			channel === 0 ? tone(500)(time) : 0,
		);
		const { samples, peak } = await decoded(both);
		expect(peak).toBeCloseTo(0.25, 2);
		expect(Math.abs(pitch(samples, DECODED_RATE) - 500)).toBeLessThan(3);
	});

	test.each([1, 2, 6, 8, 32])(
		"%d channels at 192 kHz and at 8 kHz keep their length when resampled",
		async (channels) => {
			for (const rate of [8000, 192_000]) {
				const tones = wave({ rate, channels, seconds: 0.5 }, tone(440));
				const { samples } = await decoded(tones, { channel: channels - 1 });
				expect(Math.abs(samples.length - DECODED_RATE / 2)).toBeLessThan(20);
				expect(Math.abs(pitch(samples, DECODED_RATE) - 440)).toBeLessThan(5);
			}
		},
	);

	test("peaks follow the loudness of a channel, and come without samples on request", async () => {
		const { peaks, wav } = await decoded(file, { channel: 0, peaksOnly: true });
		expect(wav).toHaveLength(0);
		expect(peaks).toHaveLength(20);
		for (const peak of peaks) expect(Math.abs(peak - 127)).toBeLessThan(3);
		expect(new Set((await decoded(file, { channel: 2 })).peaks)).toEqual(new Set([0]));
	});

	test("frequencies above half the sample rate cause no aliasing", async () => {
		const shrill = wave({ rate: 48_000, channels: 1, seconds: 1 }, tone(11_000));
		const { samples } = await decoded(shrill);
		expect(Math.max(...samples.subarray(2000, 14_000))).toBeLessThan(30);
	});
});

describe("AMR with missing frames", () => {
	const NO_DATA = 0x7c;
	const FRAME_SECONDS = 0.02;
	const FRAME_BYTES: Record<number, number> = { 0: 13, 8: 6, 15: 1 };
	const amr = fixture("speech.amr");

	/** Replaces frames by empty ones, as encoders do in pauses. */
	function withPauses(isPause: (frame: number) => boolean): Uint8Array {
		const bytes = [...amr.subarray(0, 6)];
		for (let at = 6, frame = 0; at < amr.length; frame++) {
			const size = FRAME_BYTES[((amr[at] ?? 0) >> 3) & 15] ?? 0;
			bytes.push(...(isPause(frame) ? [NO_DATA] : amr.subarray(at, at + size)));
			at += size;
		}
		return Uint8Array.from(bytes);
	}

	test.each([
		["in the middle", (frame: number) => frame >= 100 && frame < 250],
		["at the start", (frame: number) => frame < 50],
		["repeatedly", (frame: number) => frame % 100 < 40],
	])("audio keeps its time if frames are missing %s", async (_where, isPause) => {
		const whole = await decoded(amr);
		const { samples, seconds } = await decoded(withPauses(isPause));
		expect(Math.abs(seconds - whole.seconds)).toBeLessThan(0.06);
		const [from, until] = [9 * DECODED_RATE, 9.9 * DECODED_RATE];
		const late = FRAME_SECONDS * DECODED_RATE;
		const rest = samples.subarray(from, until + late);
		expect(correlation(whole.samples.subarray(from, until), rest, late)).toBeGreaterThan(0.9);
	});
});

describe("a hostile file", () => {
	const refusal = (reason: string) => ({ ok: false, reason });

	test.each([
		["an empty file", new Uint8Array()],
		["a text", new TextEncoder().encode("hello, this is no audio\n".repeat(500))],
		["a file of zeros", new Uint8Array(100_000)],
		["a file of noise", Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 251)],
		["a header alone", wave({ rate: 16_000, channels: 1, seconds: 0 }, tone(1))],
	])("%s is undecodable", async (_what, file) => {
		expect(await decode(file)).toEqual(refusal("undecodable"));
	});

	test("a file with false headers is decoded or refused", async () => {
		const withHeader = (change: (view: DataView) => void) => {
			const file = wave({ rate: 16_000, channels: 1, seconds: 1 }, tone(440));
			change(new DataView(file.buffer));
			return decode(file);
		};
		expect(await withHeader((view) => view.setUint16(22, 0, true))).toEqual(refusal("undecodable"));
		expect(await withHeader((view) => view.setUint32(24, 0, true))).toEqual(refusal("undecodable"));
		expect(await withHeader((view) => view.setUint32(24, 8, true))).toEqual(refusal("undecodable"));
		expect(await withHeader((view) => view.setUint16(22, 65_535, true))).toMatchObject({ ok: false });
		expect(await withHeader((view) => view.setUint32(40, 0xffff_fff0, true))).toMatchObject({
			ok: true,
			seconds: 1,
		});
	});

	test("a file with more audio than expected is too long", async () => {
		const file = wave({ rate: 8000, channels: 1, seconds: 5 }, tone(440));
		expect(await decode(file, { maxSeconds: 4 })).toEqual(refusal("too_long"));
	});

	test("hours of silence descriptors of one byte each are decoded", async () => {
		const speech = fixture("speech.amr").subarray(0, 600);
		const pauses = new Uint8Array(3_000_000).fill(0x7c);
		pauses.set(speech);
		pauses.set(speech.subarray(6), 2_900_000);
		expect(await decode(pauses)).toMatchObject({ ok: true });
	});

	test("truncated and damaged files of every format are decoded or refused", async () => {
		const random = randomNumbers();
		for (const name of SPEECH_FILES)
			for (let round = 0; round < 3; round++) {
				const whole = fixture(name);
				const damaged = whole.slice(0, round === 0 ? random(whole.length) : whole.length);
				for (let count = 0; count < round * 8; count++)
					damaged[random(round === 1 ? 400 : damaged.length)] = random(256);
				const answer = await decode(damaged);
				if (!answer.ok) expect(["undecodable", "too_long"]).toContain(answer.reason);
			}
	});

	test("a hostile file does not affect other calls", async () => {
		const good = fixture("speech.opus");
		const [first, , second] = await Promise.all([
			decoded(good),
			decode(new Uint8Array(50_000)),
			decoded(good),
		]);
		expect(first.wav).toEqual(second.wav);
		expect(first.seconds).toBe(12);
	});
});

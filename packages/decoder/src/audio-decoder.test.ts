import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { SAMPLE_RATE, UndecodableAudio } from "./audio-decoder.ts";
import { decode, recording, recordings, type WaveFormat, waveFile } from "./recordings.fixture.ts";

const decoder = await WebAssembly.compile(readFileSync(new URL("../assets/decoder.wasm", import.meta.url)));

const loudness = (samples: Int16Array) =>
	Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);
const upwardCrossings = (samples: Int16Array) =>
	samples.filter((sample, i) => sample >= 0 && (samples[i - 1] ?? 0) < 0).length;

const TONE_HZ = 500;
const tone = (frame: number, rate: number) => Math.sin((2 * Math.PI * TONE_HZ * frame) / rate) / 2;

test.each(recordings("formats"))("$file is decoded completely at its loudness", async ({ bytes }) => {
	const original = await decode(decoder, recording("formats", "clip.wav").bytes);
	const samples = await decode(decoder, bytes);
	expect(Math.abs(samples.length - original.length) / SAMPLE_RATE).toBeLessThan(0.1);
	expect(loudness(samples) / loudness(original)).toBeGreaterThan(0.6);
	expect(loudness(samples) / loudness(original)).toBeLessThan(1.1);
});

const WRITERS: [
	name: string,
	tag: number,
	bits: number,
	write: (view: DataView, at: number, value: number) => void,
][] = [
	["8-bit", 1, 8, (view, at, value) => view.setUint8(at, Math.round(value * 127) + 128)],
	["16-bit", 1, 16, (view, at, value) => view.setInt16(at, value * 32_767, true)],
	[
		"24-bit",
		1,
		24,
		(view, at, value) => {
			view.setUint8(at, 0);
			view.setInt16(at + 1, value * 32_767, true);
		},
	],
	["32-bit", 1, 32, (view, at, value) => view.setInt32(at, value * 2_147_483_647, true)],
	["float", 3, 32, (view, at, value) => view.setFloat32(at, value, true)],
];

const SHAPES = [8000, 16_000, 22_050, 48_000].flatMap((rate) =>
	[1, 2, 6].map((channels) => ({ rate, channels })),
);

test.each(WRITERS)(
	"%s WAVE of any rate and channel count becomes 16 kHz mono",
	async (_name, tag, bits, write) => {
		for (const { rate, channels } of SHAPES) {
			const format: WaveFormat = { tag, bits, rate, channels };
			const file = waveFile(format, rate, (view, at, frame) => write(view, at, tone(frame, rate)));
			const samples = await decode(decoder, file);
			expect(Math.abs(samples.length - SAMPLE_RATE)).toBeLessThan(40);
			expect(Math.abs(upwardCrossings(samples) - TONE_HZ)).toBeLessThan(4);
			expect(loudness(samples) / (32_768 / 2 / Math.SQRT2)).toBeCloseTo(1, 1);
		}
	},
);

test.each([
	["A-law", 6, 0xd5],
	["mu-law", 7, 0xff],
])("%s WAVE is decoded", async (_name, tag, silence) => {
	const file = waveFile({ tag, bits: 8, rate: 8000, channels: 1 }, 8000, (view, at, frame) =>
		view.setUint8(at, frame < 4000 ? silence : silence ^ 0x7f ^ (Math.floor(frame / 8) % 2 ? 0x80 : 0)),
	);
	const samples = await decode(decoder, file);
	expect(Math.abs(samples.length - SAMPLE_RATE)).toBeLessThan(40);
	expect(loudness(samples.subarray(0, 7000))).toBeLessThan(20);
	expect(loudness(samples.subarray(9000))).toBeGreaterThan(5000);
});

test("all channels have the same weight in the mix", async () => {
	const format: WaveFormat = { tag: 1, bits: 16, rate: 16_000, channels: 4 };
	const onlyOn = async (channel: number) => {
		const write = (view: DataView, at: number, frame: number, on: number) =>
			view.setInt16(at, on === channel ? tone(frame, 16_000) * 32_767 : 0, true);
		return loudness(await decode(decoder, waveFile(format, 16_000, write)));
	};
	const loudnesses = await Promise.all([0, 1, 2, 3].map(onlyOn));
	for (const value of loudnesses) expect(value / (32_768 / 8 / Math.SQRT2)).toBeCloseTo(1, 1);
});

test("files without audio are undecodable", async () => {
	for (const text of ["", "RIFF", "hello, this is a text file\n".repeat(500)])
		await expect(decode(decoder, new TextEncoder().encode(text))).rejects.toThrow(UndecodableAudio);
	const headerOnly = waveFile({ tag: 1, bits: 16, rate: 16_000, channels: 1 }, 0, () => {});
	await expect(decode(decoder, headerOnly)).rejects.toThrow(UndecodableAudio);
});

test("a sample rate too low for speech is refused, because it would last for days", async () => {
	const file = waveFile({ tag: 1, bits: 16, rate: 8, channels: 1 }, 20_000, (view, at) =>
		view.setInt16(at, 1, true),
	);
	await expect(decode(decoder, file)).rejects.toThrow(UndecodableAudio);
});

test("a truncated recording is decoded to its end", async () => {
	const { bytes } = recording("formats", "clip.mp3");
	const whole = await decode(decoder, bytes);
	const half = await decode(decoder, bytes.subarray(0, bytes.length / 2));
	expect(half.length / whole.length).toBeCloseTo(0.5, 1);
});

test("a damaged file is decoded or refused, and never causes another error", async () => {
	let seed = 1;
	const random = (below: number) => {
		seed = (seed * 48_271) % 2_147_483_647;
		return seed % below;
	};
	for (const { bytes } of recordings("formats"))
		for (let round = 0; round < 12; round++) {
			const damaged = bytes.slice(0, round % 3 ? bytes.length : random(bytes.length));
			for (let i = 0; i < 1 + round * 3; i++) damaged[random(round % 2 ? 400 : damaged.length)] = random(256);
			const outcome = await decode(decoder, damaged).catch((error) => error);
			expect(outcome instanceof Int16Array || outcome instanceof UndecodableAudio).toBe(true);
		}
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { PEAKS_PER_SECOND, PeakMeter } from "./peaks.ts";
import { fixture } from "./recordings.fixture.ts";
import { peaksOfWav } from "./wav-peaks.ts";

/** A WAV file of 16-bit samples; `sound` gives 0 to 1 for a time in seconds. */
function wave(
	{ seconds, channels, rate }: { seconds: number; channels: number; rate: number },
	sound: (time: number, channel: number) => number,
): Uint8Array<ArrayBuffer> {
	const frames = seconds * rate;
	const view = new DataView(new ArrayBuffer(44 + 2 * channels * frames));
	const text = (at: number, value: string) =>
		new TextEncoder().encodeInto(value, new Uint8Array(view.buffer, at));
	text(0, "RIFF");
	view.setUint32(4, view.byteLength - 8, true);
	text(8, "WAVEfmt ");
	view.setUint32(16, 16, true);
	view.setUint16(20, 1, true);
	view.setUint16(22, channels, true);
	view.setUint32(24, rate, true);
	view.setUint32(28, 2 * channels * rate, true);
	view.setUint16(32, 2 * channels, true);
	view.setUint16(34, 16, true);
	text(36, "data");
	view.setUint32(40, view.byteLength - 44, true);
	for (let frame = 0; frame < frames; frame++)
		for (let channel = 0; channel < channels; channel++)
			view.setInt16(44 + 2 * (channels * frame + channel), 32_767 * sound(frame / rate, channel), true);
	return new Uint8Array(view.buffer);
}

test("a peak is the loudest sample of its twentieth of a second", async () => {
	const loudness = (time: number) => (time < 0.5 ? 0.25 : time < 1 ? 0 : 1);
	const file = wave({ seconds: 1.5, channels: 1, rate: 16_000 }, (time) => -loudness(time));
	const peaks = await peaksOfWav(file);
	expect(peaks).toHaveLength(30);
	expect([...(peaks ?? [])]).toEqual([...Array(10).fill(64), ...Array(10).fill(0), ...Array(10).fill(255)]);
});

test("channels are mixed", async () => {
	const file = wave({ seconds: 1, channels: 2, rate: 8000 }, (_, channel) => (channel === 0 ? 0.5 : 0));
	expect(new Set(await peaksOfWav(file))).toEqual(new Set([64]));
});

test("samples in blocks of any size give the peaks of the whole, one per begun twentieth of a second", () => {
	const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 3000 });
	fc.assert(
		fc.property(
			samples,
			fc.constantFrom(8000, 11_025, 16_000),
			fc.integer({ min: 1, max: 700 }),
			(all, rate, size) => {
				const [whole, parts] = [new PeakMeter(rate), new PeakMeter(rate)];
				whole.add(Int16Array.from(all));
				for (let from = 0; from < all.length; from += size)
					parts.add(Int16Array.from(all.slice(from, from + size)));
				expect(parts.peaks()).toEqual(whole.peaks());
				expect(whole.peaks()).toHaveLength(Math.ceil((all.length * PEAKS_PER_SECOND) / rate - 1e-9));
			},
		),
	);
});

test.each(["speech.opus", "f32.wav"])("%s must be decoded first", async (name) => {
	expect(await peaksOfWav(fixture(name))).toBeUndefined();
});

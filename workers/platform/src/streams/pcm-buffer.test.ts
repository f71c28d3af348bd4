import fc from "fast-check";
import { expect, test } from "vitest";
import { PcmBuffer } from "./pcm-buffer.ts";

const samplesOf = (wav: Uint8Array) => [...new Int16Array(wav.slice(44).buffer)];
const bytesOf = (samples: Int16Array) => new Uint8Array(samples.slice().buffer);

test("however the bytes are cut, the samples are the same, from wherever they are read", () => {
	const samples = fc.int16Array({ minLength: 1, maxLength: 200 });
	const cuts = fc.array(fc.nat(60), { minLength: 1, maxLength: 40 });
	fc.assert(
		fc.property(samples, cuts, fc.nat(200), fc.nat(200), fc.nat(200), (all, sizes, drop, from, length) => {
			const buffer = new PcmBuffer();
			const bytes = bytesOf(all);
			const whole: number[] = [];
			for (let at = 0, cut = 0; at < bytes.length; cut++) {
				const size = sizes[cut % sizes.length] || 1;
				whole.push(...buffer.append(bytes.subarray(at, at + size)));
				at += size;
			}
			expect(whole).toEqual([...all]);
			const start = Math.min(Math.max(drop, from), all.length);
			const count = Math.min(length, all.length - start);
			buffer.dropBefore(Math.min(drop, start));
			expect(samplesOf(buffer.toWav(start, count))).toEqual([...all.slice(start, start + count)]);
		}),
	);
});

test("what was dropped is not held", () => {
	const buffer = new PcmBuffer();
	for (let piece = 0; piece < 10; piece++) buffer.append(new Uint8Array(200));
	buffer.dropBefore(950);
	expect(buffer.bytes).toBe(200);
});

test("the header is that of 16 kHz, 16 bits, mono", () => {
	const buffer = new PcmBuffer();
	buffer.append(new Uint8Array([1, 0, 2, 0]));
	const wav = buffer.toWav(0, 2);
	const view = new DataView(wav.buffer);
	expect(new TextDecoder().decode(wav.subarray(0, 4))).toBe("RIFF");
	expect([
		view.getUint32(4, true),
		view.getUint32(24, true),
		view.getUint16(34, true),
		view.getUint32(40, true),
	]).toEqual([40, 16_000, 16, 4]);
});

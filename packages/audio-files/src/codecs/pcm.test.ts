import { expect, test } from "vitest";
import type { SampleFormat } from "../audio-info.ts";
import type { WavLayout } from "../formats/wav/wav.ts";
import { probe } from "../probe.ts";
import { fixture, fixtureSource } from "../recordings.fixture.ts";
import { pcmCells, pcmLevel } from "./pcm.ts";

async function levelOf(name: string): Promise<number> {
	const { start, end, sampleFormat } = (await probe(fixtureSource(name))).layout as WavLayout;
	return pcmLevel(fixture(name).subarray(start, end), sampleFormat);
}

test("the same audio has the same level in every sample format", async () => {
	const expected = await levelOf("s24.wav");
	expect(expected).toBeGreaterThan(-40);
	for (const name of ["u8.wav", "s32.wav", "f32.wav", "f64.wav", "alaw.wav", "ulaw.wav", "streamed.wav"]) {
		expect(Math.abs((await levelOf(name)) - expected)).toBeLessThan(0.5);
	}
});

test.each<[SampleFormat, number]>([
	["s16", 0],
	["s24", 0],
	["f32", 0],
	["u8", 128],
	["alaw", 0xd5],
	["ulaw", 0xff],
])("%s samples of value %d are silent", (format, byte) => {
	expect(pcmLevel(new Uint8Array(2400).fill(byte), format)).toBeLessThan(-60);
});

test("samples that are not numbers do not count as a pause", () => {
	expect(pcmLevel(new Uint8Array(new Float32Array(100).fill(Number.NaN).buffer), "f32")).toBe(0);
});

test("cells have the level of all their samples, whatever the tone, and cover all of them", () => {
	const perCell = 551.25;
	for (const hertz of [50, 1000, 1102.5, 2756.25, 5000]) {
		const samples = Int16Array.from({ length: 11_025 }, (_, index) =>
			Math.round(8000 * Math.cos((2 * Math.PI * hertz * index) / 11_025)),
		);
		const bytes = new Uint8Array(samples.buffer);
		const cells = [...pcmCells(bytes, "s16", perCell)];
		expect(cells).toHaveLength(20);
		expect(cells.reduce((sum, cell) => sum + cell.cells, 0)).toBeCloseTo(20, 6);
		for (const { level } of cells) expect(Math.abs(level - pcmLevel(bytes, "s16"))).toBeLessThan(1.5);
	}
});

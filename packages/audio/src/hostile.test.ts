import { describe, expect, test } from "vitest";
import * as hostile from "./hostile.fixture.ts";
import { planChunks } from "./plan.ts";
import { probe } from "./probe.ts";
import { sliceChunk } from "./slice.ts";
import { bytesSource } from "./source.ts";
import type { UnsupportedAudio } from "./unsupported-audio.ts";

/** Of a test's five seconds: what goes wrong here takes minutes or never ends. */
const MAX_MS = 3000;
const MAX_HELD_BYTES = 100 * 1024 * 1024;

/** Why a file is refused, once all has been done with it that a job does. */
async function refusal(bytes: Uint8Array): Promise<string> {
	const source = bytesSource(bytes);
	const startedAt = performance.now();
	const before = process.memoryUsage().heapUsed;
	const error = await (async () => {
		const info = await probe(source);
		const { chunks } = await planChunks(source, info);
		for (const chunk of chunks) await sliceChunk(source, info, chunk);
	})().catch((thrown: UnsupportedAudio) => thrown);
	expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
	expect(process.memoryUsage().heapUsed - before).toBeLessThan(MAX_HELD_BYTES);
	expect(error).toHaveProperty("name", "UnsupportedAudio");
	return (error as UnsupportedAudio).code;
}

describe("a file that is made to keep a parser busy is refused at once", () => {
	test.each([
		["boxes within boxes that reach to the end", () => hostile.boxesThatOverlap(26), "no_audio_track"],
		["boxes and nothing else", () => hostile.boxesWithoutEnd(1_000_000), "broken"],
		["fragments that speak of half a million samples", () => hostile.fragmentsOfNothing(30), "empty"],
		["lists of tracks within lists of tracks", () => hostile.tracksWithinTracks(1_000_000), "broken"],
		["millions of tracks", () => hostile.tracksWithoutEnd(2_000_000), "broken"],
		["blocks of hundreds of empty frames", () => hostile.framesOfNothing(80_000), "empty"],
		["millions of packets of no bytes", () => hostile.packetsOfNothing(10_000), "broken"],
		["a header without an end", () => hostile.headerWithoutEnd(400), "broken"],
		["no samples in a second", hostile.vorbisWithoutRate, "broken"],
		["a sample a second for a year", () => hostile.wavOfSlowSamples(30_000_000), "too_long"],
		["sound at either end of nothing", () => hostile.soundFarApart(80_000_000), "broken"],
	])("%s", async (_, make, code) => {
		expect(await refusal(make())).toBe(code);
	});
});

test("a sample a second for a year does not make a read of each minute", async () => {
	const bytes = hostile.wavOfSlowSamples(30_000_000);
	let reads = 0;
	const source = {
		...bytesSource(bytes),
		read: async (from: number, to: number) => {
			reads++;
			return bytes.subarray(from, to);
		},
	};
	await expect(planChunks(source, await probe(source))).rejects.toHaveProperty("code", "too_long");
	expect(reads).toBeLessThan(100);
});

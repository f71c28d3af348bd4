import { bytesSource } from "@parley/audio-files/audio-source";
import * as hostile from "@parley/audio-files/hostile.fixture";
import { countedSource } from "@parley/audio-files/long-sounds.fixture";
import { probe } from "@parley/audio-files/probe";
import type { UnsupportedAudio } from "@parley/audio-files/unsupported-audio";
import { describe, expect, test } from "vitest";
import { planChunks } from "./plan.ts";
import { sliceChunk } from "./slice-chunk.ts";

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
		["empty chunks and nothing else", () => hostile.chunksOfNothing(64 * 1024 * 1024), "broken"],
		["no samples in a second", hostile.vorbisWithoutRate, "broken"],
		["a sample a second for a year", () => hostile.wavOfSlowSamples(30_000_000), "too_long"],
		["sound at either end of nothing", () => hostile.soundFarApart(80_000_000), "broken"],
		["a day in nine kilobytes", () => hostile.packetsFarApart(150), "broken"],
		["a sample a second for ten days", () => hostile.wavOfSlowSamples(1_000_000), "broken"],
	])("%s", async (_, make, code) => {
		expect(await refusal(make())).toBe(code);
	});
});

test("a sample a second for a year does not make a read of each minute", async () => {
	const source = countedSource(hostile.wavOfSlowSamples(30_000_000));
	await expect(planChunks(source, await probe(source))).rejects.toHaveProperty("code", "too_long");
	expect(source.reads).toBeLessThan(100);
});

test("a day of nothing is not looked at again and again", async () => {
	const source = countedSource(hostile.oggAroundNothing(9_000_000));
	const { durationSeconds } = await planChunks(source, await probe(source));
	expect(durationSeconds).toBeCloseTo(120, 0);
	expect(source.reads).toBeLessThan(60);
});

describe("a file is refused whose container counts", () => {
	test.each([
		["far less than an MP4 file holds", hostile.saying("moov-last.m4a", "mdhd", 16, 4_000_000), "more sound"],
		[
			"far less than its fragments hold",
			hostile.saying("fragmented.m4a", "mdhd", 16, 4_000_000),
			"more sound",
		],
		[
			"far less than a WebM file holds",
			hostile.saying("speech.webm", [0x2a, 0xd7, 0xb1, 0x83], 3, 0x83_00_20_00),
			"more sound",
		],
		["far more than an MP4 file holds", hostile.saying("moov-last.m4a", "mdhd", 16, 100), "too little sound"],
		[
			"far more than its fragments hold",
			hostile.saying("fragmented.m4a", "mdhd", 16, 100),
			"too little sound",
		],
		[
			"another rate than FLAC frames",
			hostile.saying("speech.flac", "fLaC", 18, 0xa0_00_00_f0),
			"contradicts itself",
		],
	])("%s", async (_, bytes, reason) => {
		const source = bytesSource(bytes);
		const hearing = (async () => {
			const info = await probe(source);
			const { chunks } = await planChunks(source, info);
			for (const chunk of chunks) await sliceChunk(source, info, chunk);
		})();
		await expect(hearing).rejects.toThrow(reason);
	});
});

test("an Ogg file whose time falls lasts as long as its packets", async () => {
	const source = bytesSource(hostile.oggOfFallingTime("speech.opus"));
	const { durationSeconds, chunks } = await planChunks(source, await probe(source), { targetSeconds: 4 });
	expect(durationSeconds).toBeCloseTo(12, 1);
	for (const chunk of chunks) expect(chunk.endSeconds).toBeGreaterThan(chunk.startSeconds);
});

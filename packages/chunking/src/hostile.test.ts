import { bytesSource } from "@parley/audio-files/audio-source";
import * as hostile from "@parley/audio-files/hostile.fixture";
import { countedSource } from "@parley/audio-files/long-recordings.fixture";
import { probe } from "@parley/audio-files/probe";
import type { UnsupportedAudio } from "@parley/audio-files/unsupported-audio";
import { describe, expect, test } from "vitest";
import { planChunks } from "./plan.ts";
import { sliceChunk } from "./slice-chunk.ts";

/** Maximum time per file. A parser that fails this test takes minutes or never ends. */
const MAX_MS = 3000;
const MAX_HELD_BYTES = 100 * 1024 * 1024;

/** Probes, plans and slices a file, and returns the code with which it is rejected. */
async function rejectionOf(bytes: Uint8Array): Promise<string> {
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

describe("a file that is made to keep a parser busy", () => {
	test.each([
		["nested boxes that all reach to the end", () => hostile.nestedBoxes(26), "no_audio_track"],
		["empty boxes and nothing else", () => hostile.endlessBoxes(1_000_000), "broken"],
		["fragments that declare half a million samples each", () => hostile.emptyFragments(30), "empty"],
		["nested lists of tracks", () => hostile.nestedTracks(1_000_000), "broken"],
		["millions of tracks", () => hostile.endlessTracks(2_000_000), "broken"],
		["blocks of hundreds of empty frames", () => hostile.emptyFrames(80_000), "empty"],
		["millions of empty packets", () => hostile.emptyPackets(10_000), "broken"],
		["an endless header", () => hostile.endlessHeader(400), "broken"],
		["empty RIFF chunks and nothing else", () => hostile.emptyRiffChunks(64 * 1024 * 1024), "broken"],
		["a sample rate of zero", hostile.vorbisWithoutRate, "broken"],
		["one sample per second for a year", () => hostile.wavWithSlowSamples(30_000_000), "too_long"],
		["audio only at both ends", () => hostile.audioFarApart(80_000_000), "broken"],
		["a day in nine kilobytes", () => hostile.packetsFarApart(150), "broken"],
		["one sample per second for ten days", () => hostile.wavWithSlowSamples(1_000_000), "broken"],
	])("a file with %s is rejected at once", async (_, make, code) => {
		expect(await rejectionOf(make())).toBe(code);
	});
});

test("planning one sample per second for a year does not read once per minute", async () => {
	const source = countedSource(hostile.wavWithSlowSamples(30_000_000));
	await expect(planChunks(source, await probe(source))).rejects.toHaveProperty("code", "too_long");
	expect(source.reads).toBeLessThan(100);
});

test("planning a day without audio does not retry without end", async () => {
	const source = countedSource(hostile.oggWithHole(9_000_000));
	const { durationSeconds } = await planChunks(source, await probe(source));
	expect(durationSeconds).toBeCloseTo(120, 0);
	expect(source.reads).toBeLessThan(60);
});

describe("a file with a false declaration", () => {
	test.each([
		[
			"an MP4 file that declares far less audio than it contains",
			hostile.withNumber("moov-last.m4a", "mdhd", 16, 4_000_000),
			"it contains more audio than its header declares",
		],
		[
			"fragments that declare far less audio than they contain",
			hostile.withNumber("fragmented.m4a", "mdhd", 16, 4_000_000),
			"it contains more audio than its header declares",
		],
		[
			"a WebM file that declares far less audio than it contains",
			hostile.withNumber("speech.webm", [0x2a, 0xd7, 0xb1, 0x83], 3, 0x83_00_20_00),
			"it contains more audio than its header declares",
		],
		[
			"an MP4 file that declares far more audio than it contains",
			hostile.withNumber("moov-last.m4a", "mdhd", 16, 100),
			"too little audio",
		],
		[
			"fragments that declare far more audio than they contain",
			hostile.withNumber("fragmented.m4a", "mdhd", 16, 100),
			"too little audio",
		],
		[
			"a FLAC file that declares another sample rate than its frames",
			hostile.withNumber("speech.flac", "fLaC", 18, 0xa0_00_00_f0),
			"contradicts its frames",
		],
	])("%s: the file is rejected", async (_, bytes, reason) => {
		const source = bytesSource(bytes);
		const slicing = (async () => {
			const info = await probe(source);
			const { chunks } = await planChunks(source, info);
			for (const chunk of chunks) await sliceChunk(source, info, chunk);
		})();
		await expect(slicing).rejects.toThrow(reason);
	});
});

test("an Ogg file with falling timestamps lasts as long as its packets", async () => {
	const source = bytesSource(hostile.oggWithFallingTime("speech.opus"));
	const { durationSeconds, chunks } = await planChunks(source, await probe(source), { targetSeconds: 4 });
	expect(durationSeconds).toBeCloseTo(12, 1);
	for (const chunk of chunks) expect(chunk.endSeconds).toBeGreaterThan(chunk.startSeconds);
});

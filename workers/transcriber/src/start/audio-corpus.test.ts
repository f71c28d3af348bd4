import { env } from "cloudflare:test";
import { fixture } from "@parley/audio-files/recordings.fixture";
import type { InputMetadata } from "@parley/contracts/batch/jobs";
import { describe, expect, test, vi } from "vitest";
import { countReads, pcm, withPicture } from "../../test/bad-audio.ts";
import { outside } from "../../test/engine.ts";
import { createPipeline, insertJob, keysOf, read, startMessage } from "../../test/pipeline.ts";

const MIB = 1024 * 1024;
const text = (content: string) => new TextEncoder().encode(content);
const head = (name: string, length: number) => fixture(name).slice(0, length);

vi.setConfig({ testTimeout: 30_000 });

/** Takes a file through the whole pipeline, then a good one through the same worker. */
async function take(audio: Uint8Array) {
	const { bucket, reads } = countReads(env.MEDIA);
	const pipeline = createPipeline(outside(), { MEDIA: bucket });
	const row = await insertJob({ audio });
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	const counted = { ...reads };

	const next = await insertJob({ audio: pcm() });
	await pipeline.deliver([startMessage(next)]);
	await pipeline.drain();
	expect((await read(next)).status).toBe("DONE");
	return { row: await read(row), reads: counted };
}

describe("what is odd and yet audio comes through:", () => {
	test.each<[string, Uint8Array, Partial<InputMetadata>]>([
		["8 bit", pcm({ bits: 8 }), { codec: "pcm", sample_rate: 16_000 }],
		["24 bit", pcm({ bits: 24 }), { codec: "pcm", duration_seconds: 3 }],
		["floating point", pcm({ bits: 32, isFloat: true }), { codec: "pcm", duration_seconds: 3 }],
		["six channels", pcm({ channels: 6 }), { channels: 6, duration_seconds: 3 }],
		["8 kHz", pcm({ rate: 8000 }), { sample_rate: 8000, duration_seconds: 3 }],
		["192 kHz", pcm({ rate: 192_000 }), { sample_rate: 192_000, duration_seconds: 3 }],
		["a body that was cut off", pcm({ seconds: 6 }).slice(0, 44 + 3 * 32_000), { duration_seconds: 3 }],
		["MP3 that calls itself WAV", fixture("cbr.mp3"), { format: "mp3", codec: "mp3" }],
		["MP3 of varying rate without a header", fixture("vbr-no-header.mp3"), { format: "mp3" }],
		["MP3 behind a picture of 5 MB", withPicture(fixture("cbr.mp3"), 5_000_000), { format: "mp3" }],
		["MP3 cut off in a frame", head("cbr.mp3", 20_001), { format: "mp3" }],
		["M4A with its index at the end", fixture("moov-last.m4a"), { format: "m4a", codec: "aac" }],
		["M4A in fragments", fixture("fragmented.m4a"), { format: "m4a", codec: "aac" }],
		["a chain of Ogg streams", fixture("chained.opus"), { format: "ogg", codec: "opus" }],
		["WAV whose length nobody filled in", fixture("streamed.wav"), { format: "wav" }],
	])("%s", async (_, audio, metadata) => {
		const { row, reads } = await take(audio);
		expect(row).toMatchObject({ status: "DONE", error: null, inputMetadata: metadata });
		expect(reads.largest).toBeLessThanOrEqual(12 * MIB);
	});
});

describe("what is none fails with a plain reason:", () => {
	test.each<[string, Uint8Array, string, string]>([
		["nothing", new Uint8Array(0), "input_empty", "The input is empty."],
		["one byte", Uint8Array.of(0), "input_broken", "too short"],
		["a header that was cut off", head("speech.wav", 30), "input_broken", "damaged or incomplete"],
		["an index that was cut off", head("moov-last.m4a", 20_000), "input_broken", "damaged or incomplete"],
		["no samples", pcm({ seconds: 0 }), "input_empty", "The file contains no audio."],
		["a ZIP archive", text("PK\x03\x04\x14\0\0\0 and more of it"), "input_not_audio", "ZIP"],
		["a web page", text("<!doctype html><title>Log in</title>"), "input_not_audio", "HTML"],
		["text renamed", text("Minutes of the meeting, by hand.\n".repeat(40)), "input_not_audio", "text"],
		[
			"noise",
			crypto.getRandomValues(new Uint8Array(60_000)).fill(0x5a, 0, 8),
			"input_not_audio",
			"known format",
		],
		[
			"a picture alone in its tag",
			withPicture(new Uint8Array(0), 500_000),
			"input_broken",
			"within its tags",
		],
		["video without sound", fixture("silent-video.mp4"), "input_no_audio_track", "no audio track"],
		["another codec in WAV", fixture("adpcm.wav"), "input_unsupported_codec", "ADPCM"],
		["another container", fixture("speech.aiff"), "input_unsupported_container", "AIFF"],
	])("%s", async (_, audio, code, words) => {
		const { row, reads } = await take(audio);
		expect(row).toMatchObject({
			status: "FAILED",
			error: { code, message: expect.stringContaining(words), retryable: false },
		});
		expect(await keysOf(row, "work")).toEqual([]);
		expect(reads.total).toBeLessThanOrEqual(2 * audio.byteLength + MIB);
	});
});

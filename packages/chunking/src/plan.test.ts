import { type AudioSource, bytesSource } from "@parley/audio-files/audio-source";
import { probe } from "@parley/audio-files/probe";
import { fixture, fixtureSource, SPEECH_FILES } from "@parley/audio-files/recordings.fixture";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkFile, SHORT_CHUNKS } from "./chunk-file.fixture.ts";
import { planChunks } from "./plan.ts";

describe("planned chunks", () => {
	test.each(SPEECH_FILES)("the chunks of %s cover all of it without gaps", async (name) => {
		const { plan } = await chunkFile(fixtureSource(name), SHORT_CHUNKS);
		let end = 0;
		plan.chunks.forEach((chunk, index) => {
			const next = plan.chunks[index + 1];
			expect(chunk.startSeconds).toBeLessThanOrEqual(end + 1e-9);
			expect(chunk.endSeconds).toBeGreaterThan(chunk.startSeconds);
			expect(chunk.cut).toBe(next ? (chunk.overlapSeconds > 0 ? "overlap" : "quiet") : "end");
			if (next && chunk.cut === "quiet") expect(next.startSeconds).toBe(chunk.endSeconds);
			if (chunk.cut === "overlap") expect(chunk.overlapSeconds).toBeGreaterThanOrEqual(0.5);
			end = chunk.endSeconds;
		});
		expect(plan.chunks[0]?.startSeconds).toBe(0);
		expect(end).toBe(plan.durationSeconds);
	});

	const PAUSES = [
		[3.15, 4.05],
		[6.7, 7.61],
		[10.39, 11.33],
	] as const;

	test.each([
		"speech.wav",
		"cbr.mp3",
		"vbr.mp3",
		"speech.aac",
		"moov-last.m4a",
		"fragmented.m4a",
		"video.mp4",
		"speech.flac",
		"speech.opus",
		"speech.webm",
		"live.webm",
		"speech.amr",
		"amr.3gp",
		"speech.ts",
		"aac.mkv",
	])("the chunks of %s meet in the pauses of the speech", async (name) => {
		const { info, plan } = await chunkFile(fixtureSource(name), SHORT_CHUNKS);
		const quiet = plan.chunks.filter((chunk) => chunk.cut === "quiet");
		// AAC at this rate has only seven packets per second, too few to be sure of every pause.
		expect(quiet.length).toBeGreaterThanOrEqual(plan.chunks.length - (info.codec === "aac" ? 2 : 1));
		for (const { endSeconds } of quiet) {
			// Coders delay by up to 0.15 s.
			expect(PAUSES.some(([from, to]) => endSeconds > from && endSeconds < to + 0.15)).toBe(true);
		}
	});

	test.each(["vorbis.ogg", "constant.opus", "mp2.ts"])(
		"the chunks of %s overlap, because its packets do not tell pauses",
		async (name) => {
			const { plan } = await chunkFile(fixtureSource(name), SHORT_CHUNKS);
			expect(plan.chunks.map((chunk) => chunk.cut)).toEqual(["overlap", "overlap", "end"]);
		},
	);

	test("chunks overlap at every boundary if `alwaysOverlap` is set", async () => {
		const { plan } = await chunkFile(fixtureSource("speech.wav"), { ...SHORT_CHUNKS, alwaysOverlap: true });
		for (const chunk of plan.chunks.slice(0, -1)) expect(chunk.overlapSeconds).toBeCloseTo(0.6, 1);
	});

	test.each(SPEECH_FILES.filter((name) => !/\.(ts|mpg|3gp)$|(aac|mp3|flac)\.mkv/.test(name)))(
		"the only chunk of the short %s is the unchanged file",
		async (name) => {
			const { plan, slices } = await chunkFile(fixtureSource(name), {});
			expect(plan.chunks).toHaveLength(1);
			expect(plan.chunks[0]).toMatchObject({ whole: true, cut: "end" });
			expect(slices[0]?.bytes).toEqual(fixture(name));
		},
	);

	test.each([
		["mp3.mkv", "mp3"],
		["aac.mkv", "m4a"],
		["amr.3gp", "amr"],
		["mp2.ts", "mpeg"],
	])("the only chunk of the short %s contains only its audio, as %s", async (name, format) => {
		const { plan, slices } = await chunkFile(fixtureSource(name), {});
		expect(plan.chunks).toHaveLength(1);
		expect(slices[0]?.format).toBe(format);
	});

	test("chunks of any target length stay within the limits", async () => {
		const names = fc.constantFrom(
			"speech.wav",
			"cbr.mp3",
			"speech.aac",
			"speech.flac",
			"moov-last.m4a",
			"speech.opus",
		);
		await fc.assert(
			fc.asyncProperty(
				names,
				fc.double({ min: 1, max: 9, noNaN: true }),
				fc.integer({ min: 12_000, max: 200_000 }),
				fc.double({ min: 0.2, max: 0.5, noNaN: true }),
				fc.boolean(),
				async (name, targetSeconds, maxBytes, overlapSeconds, alwaysOverlap) => {
					const options = { targetSeconds, maxBytes, overlapSeconds, alwaysOverlap };
					const { plan, slices } = await chunkFile(fixtureSource(name), options);
					slices.forEach((slice, index) => {
						expect(slice.bytes.length).toBeLessThanOrEqual(maxBytes * 1.05 + 1500);
						expect(slice.durationSeconds).toBeLessThan(targetSeconds * 2 + 2);
						expect(slice.startSeconds).toBe(plan.chunks[index]?.startSeconds);
					});
					expect(plan.chunks.at(-1)?.endSeconds).toBe(plan.durationSeconds);
				},
			),
			{ numRuns: 60 },
		);
	});
});

describe("long files", () => {
	/** Creates a WAV file of an hour with a tone and pauses, which is not held in memory. */
	function hourOfAudio() {
		const rate = 16000;
		const audioBytes = 3600 * rate * 2;
		const header = fixture("speech.wav").slice(0, 44);
		const view = new DataView(header.buffer);
		view.setUint32(24, rate, true);
		view.setUint32(28, rate * 2, true);
		view.setUint32(40, audioBytes, true);
		const reads: number[] = [];
		const source: AudioSource = {
			size: 44 + audioBytes,
			async read(start, end) {
				reads.push(end - start);
				const bytes = new Uint8Array(end - start);
				for (let at = start; at < end; at++) {
					const loud = Math.floor((at - 44) / (rate * 2)) % 5 !== 4;
					bytes[at - start] = at < 44 ? (header[at] as number) : loud ? (at * 37) & 0x1f : 0;
				}
				return bytes;
			},
		};
		return { source, reads };
	}

	test("a long WAV file is read only around the boundaries", async () => {
		const { source, reads } = hourOfAudio();
		const info = await probe(source);
		reads.length = 0;
		const plan = await planChunks(source, info);
		expect(plan.durationSeconds).toBe(3600);
		expect(plan.chunks).toHaveLength(24);
		expect(plan.chunks.slice(0, -1).every((chunk) => chunk.cut === "quiet")).toBe(true);
		expect(reads.reduce((sum, read) => sum + read, 0)).toBeLessThan(0.05 * source.size);
		expect(Math.max(...reads)).toBeLessThanOrEqual(1024 * 1024);
	});

	test("a long file of a codec that cannot be cut is rejected", async () => {
		const source = fixtureSource("alac.m4a");
		const info = await probe(source);
		await expect(planChunks(source, info, { maxBytes: 5000 })).rejects.toMatchObject({
			code: "unsupported_codec",
		});
		expect((await planChunks(source, info)).chunks[0]?.whole).toBe(true);
	});
});

describe("damaged files", () => {
	test.each([
		["speech.wav", 96_044],
		["speech.flac", 50_000],
		["moov-first.m4a", 15_000],
	])("a plan of %s cut off after %d bytes covers what is there, with a warning", async (name, length) => {
		const whole = fixture(name);
		const { plan, slices } = await chunkFile(bytesSource(whole.slice(0, length)), SHORT_CHUNKS);
		expect(plan.durationSeconds).toBeGreaterThan(4);
		expect(plan.durationSeconds).toBeLessThan(11);
		expect(plan.warnings).toEqual([expect.stringContaining("may be cut off")]);
		expect(slices.length).toBe(plan.chunks.length);
	});

	test("a plan skips junk between frames", async () => {
		const bytes = fixture("cbr.mp3");
		const junk = Uint8Array.from({ length: 3000 }, (_, at) => (at * 7) % 250);
		const spoilt = new Uint8Array([...bytes.slice(0, 9000), ...junk, ...bytes.slice(9000)]);
		const { plan } = await chunkFile(bytesSource(spoilt), SHORT_CHUNKS);
		expect(Math.abs(plan.durationSeconds - 12.17)).toBeLessThan(0.2);
	});

	test.each([
		["vorbis.ogg", "speech.opus"],
		["speech.opus", "vorbis.ogg"],
		["speech.opus", "flac-in-ogg.ogg"],
	])("a chain of %s and %s is rejected rather than planned in part", async (first, second) => {
		const bytes = new Uint8Array(Buffer.concat([fixture(first), fixture(second)]));
		const source = bytesSource(bytes);
		const planning = probe(source).then((info) => planChunks(source, info, SHORT_CHUNKS));
		await expect(planning).rejects.toThrow("encoded differently");
	});
});

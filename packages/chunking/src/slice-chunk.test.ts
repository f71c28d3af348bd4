import { bytesSource } from "@parley/audio-files/audio-source";
import { probe } from "@parley/audio-files/probe";
import { fixture, fixtureSource, SPEECH_FILES } from "@parley/audio-files/recordings.fixture";
import { UnsupportedAudio } from "@parley/audio-files/unsupported-audio";
import fc from "fast-check";
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import { describe, expect, test } from "vitest";
import { chunkFile, SHORT_CHUNKS } from "./chunk-file.fixture.ts";
import { planChunks } from "./plan.ts";
import { type SlicedChunk, sliceChunk } from "./slice-chunk.ts";

/** Reads the packets of a file with another parser. */
async function packetsOf(bytes: Uint8Array<ArrayBuffer>): Promise<string[]> {
	const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
	const track = await input.getPrimaryAudioTrack();
	if (!track) throw new Error("no track");
	const packets: string[] = [];
	for await (const packet of new EncodedPacketSink(track).packets()) packets.push(packet.data.join());
	return packets;
}

async function secondsOf(bytes: Uint8Array): Promise<number> {
	const source = bytesSource(bytes);
	return (await planChunks(source, await probe(source))).durationSeconds;
}

describe("sliced chunks", () => {
	test.each(SPEECH_FILES)("slices of %s are valid files of the planned duration", async (name) => {
		const { info, slices } = await chunkFile(fixtureSource(name), SHORT_CHUNKS);
		for (const slice of slices) {
			const own = await probe(bytesSource(slice.bytes));
			const format = slice.format === "m4a" ? "mp4" : slice.format;
			expect([own.codec, own.format, own.sampleRate]).toEqual([info.codec, format, info.sampleRate]);
			expect(Math.abs((await secondsOf(slice.bytes)) - slice.durationSeconds)).toBeLessThan(0.15);
		}
	});

	// The other parser does not support AMR and chained files, and WAV has no packets.
	test.each(SPEECH_FILES.filter((name) => !/chained|amr|mpg$|wav$/.test(name)))(
		"slices of %s contain every packet of the file, once except in overlaps",
		async (name) => {
			const { plan, slices } = await chunkFile(fixtureSource(name), SHORT_CHUNKS);
			// The transport stream was made from the same packets, which have headers there.
			const all = await packetsOf(fixture(name === "speech.ts" ? "aac.mkv" : name));
			const perSecond = all.length / plan.durationSeconds;
			let next = 0;
			for (const [index, slice] of slices.entries()) {
				const packets = await packetsOf(slice.bytes);
				const before = plan.chunks[index - 1];
				const quiet = before?.cut === "quiet" && !name.startsWith("vorbis");
				// Rounding may shift the seam by a packet. Vorbis repeats the packet that primes the decoder.
				const shared = Math.round((before?.overlapSeconds ?? 0) * perSecond);
				const seams = index === 0 || quiet ? [next] : [0, 1, 2, 3, 4].map((step) => next - shared - 3 + step);
				const at = seams.find((seam) => all.slice(seam, seam + packets.length).join() === packets.join());
				expect(at).toBeDefined();
				next = (at ?? 0) + packets.length;
			}
			expect(next).toBe(all.length);
		},
	);

	test("slices of WAV contain all samples", async () => {
		const { slices } = await chunkFile(fixtureSource("speech.wav"), SHORT_CHUNKS);
		const samples = slices.flatMap((slice) => [...slice.bytes.subarray(44)]);
		expect(samples).toEqual([...fixture("speech.wav").subarray(44)]);
	});

	test("slices of AMR contain all frames behind their own magic number", async () => {
		const { slices } = await chunkFile(fixtureSource("speech.amr"), SHORT_CHUNKS);
		const frames = slices.flatMap((slice) => [...slice.bytes.subarray(6)]);
		expect(frames).toEqual([...fixture("speech.amr").subarray(6)]);
	});

	test("a slice has the content type and the extension of its format", async () => {
		const names = async (name: string) => {
			const { slices } = await chunkFile(fixtureSource(name), SHORT_CHUNKS);
			return [slices[1]?.filename, slices[1]?.contentType];
		};
		expect(await names("speech.wav")).toEqual(["0002.wav", "audio/wav"]);
		expect(await names("video.mp4")).toEqual(["0002.m4a", "audio/mp4"]);
		expect(await names("speech.ts")).toEqual(["0002.m4a", "audio/mp4"]);
		expect(await names("mp2.ts")).toEqual(["0002.mpga", "audio/mpeg"]);
		expect(await names("mp3.mkv")).toEqual(["0002.mp3", "audio/mpeg"]);
		expect(await names("opus.mp4")).toEqual(["0002.ogg", "audio/ogg"]);
	});

	test("slices of bare AAC are M4A files for an engine that accepts only M4A", async () => {
		const { slices } = await chunkFile(fixtureSource("speech.aac"), {}, ["m4a", "wav"]);
		expect(slices.map((slice) => slice.format)).toEqual(["m4a"]);
		expect(await packetsOf((slices[0] as SlicedChunk).bytes)).toEqual(await packetsOf(fixture("aac.mkv")));
		const several = await chunkFile(fixtureSource("speech.aac"), SHORT_CHUNKS, ["m4a", "wav"]);
		expect(several.slices.map((slice) => slice.format)).toEqual(["m4a", "m4a", "m4a"]);
	});

	test("slices of AAC in a transport stream stay bare for an engine that accepts bare AAC", async () => {
		const { slices } = await chunkFile(fixtureSource("speech.ts"), SHORT_CHUNKS, ["aac", "m4a"]);
		expect(slices.map((slice) => slice.format)).toEqual(["aac", "aac", "aac"]);
		for (const slice of slices) {
			expect(Math.abs((await secondsOf(slice.bytes)) - slice.durationSeconds)).toBeLessThan(0.15);
		}
	});

	test("the slice of a short transport stream contains only its audio", async () => {
		const { plan, slices } = await chunkFile(fixtureSource("speech.ts"), {});
		expect(plan.chunks).toHaveLength(1);
		expect(slices[0]).toMatchObject({ format: "m4a", filename: "0001.m4a" });
	});

	test.each(["speech.wav", "cbr.mp3", "moov-last.m4a", "speech.flac", "speech.webm"])(
		"slicing %s reads little more than the bytes of the slices",
		async (name) => {
			const source = fixtureSource(name);
			const info = await probe(source);
			const { chunks } = await planChunks(source, info, SHORT_CHUNKS);
			source.bytesRead = 0;
			for (const chunk of chunks) await sliceChunk(source, info, chunk);
			expect(source.bytesRead).toBeLessThan(source.size * 1.1);
		},
	);
});

describe("damaged files", () => {
	const fuzzed = fc.constantFrom(
		"cbr.mp3",
		"speech.aac",
		"moov-first.m4a",
		"fragmented.m4a",
		"speech.opus",
		"vorbis.ogg",
		"speech.webm",
		"flac.mkv",
		"speech.ts",
		"program.mpg",
		"speech.amr",
		"u8.wav",
	);

	test("a file with bytes changed anywhere is sliced or rejected, and never causes another error", async () => {
		const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 40, size: "max" });
		await fc.assert(
			fc.asyncProperty(fuzzed, changes, async (name, flips) => {
				const bytes = fixture(name);
				for (const [offset, value] of flips) bytes[offset % bytes.length] = value;
				await chunkFile(bytesSource(bytes), SHORT_CHUNKS).catch((error: unknown) => {
					if (!(error instanceof UnsupportedAudio)) throw error;
				});
			}),
			{ numRuns: 200 },
		);
	}, 30_000);
});

import { bytesSource } from "@parley/audio-files/audio-source";
import { probe } from "@parley/audio-files/probe";
import { fixture, fixtureSource, SOUND } from "@parley/audio-files/sounds.fixture";
import { UnsupportedAudio } from "@parley/audio-files/unsupported-audio";
import fc from "fast-check";
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import { describe, expect, test } from "vitest";
import { cutUp, SMALL } from "./cut-up.fixture.ts";
import { planChunks } from "./plan.ts";
import { type SlicedChunk, sliceChunk } from "./slice-chunk.ts";

/** Coded packets of a file as another parser reads them. */
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

describe("slices", () => {
	test.each(SOUND)("of %s are files of their own, as long as planned", async (name) => {
		const { info, slices } = await cutUp(fixtureSource(name), SMALL);
		for (const slice of slices) {
			const own = await probe(bytesSource(slice.bytes));
			const format = slice.format === "m4a" ? "mp4" : slice.format;
			expect([own.codec, own.format, own.sampleRate]).toEqual([info.codec, format, info.sampleRate]);
			expect(Math.abs((await secondsOf(slice.bytes)) - slice.durationSeconds)).toBeLessThan(0.15);
		}
	});

	// Another parser reads both. AMR and chained files it does not know, and WAV has no packets.
	test.each(SOUND.filter((name) => !/chained|amr|mpg$|wav$/.test(name)))(
		"of %s hold the packets of the file, each once but for the overlaps",
		async (name) => {
			const { plan, slices } = await cutUp(fixtureSource(name), SMALL);
			// The transport stream was made from the same packets, which carry headers there.
			const all = await packetsOf(fixture(name === "speech.ts" ? "aac.mkv" : name));
			const perSecond = all.length / plan.durationSeconds;
			let next = 0;
			for (const [index, slice] of slices.entries()) {
				const packets = await packetsOf(slice.bytes);
				const before = plan.chunks[index - 1];
				const quiet = before?.cut === "quiet" && !name.startsWith("vorbis");
				// One more or less by rounding, and for Vorbis the one that primes the decoder.
				const shared = Math.round((before?.overlapSeconds ?? 0) * perSecond);
				const places =
					index === 0 || quiet ? [next] : [0, 1, 2, 3, 4].map((step) => next - shared - 3 + step);
				const at = places.find((place) => all.slice(place, place + packets.length).join() === packets.join());
				expect(at).toBeDefined();
				next = (at ?? 0) + packets.length;
			}
			expect(next).toBe(all.length);
		},
	);

	test("of WAV hold all samples", async () => {
		const { slices } = await cutUp(fixtureSource("speech.wav"), SMALL);
		const sound = slices.flatMap((slice) => [...slice.bytes.subarray(44)]);
		expect(sound).toEqual([...fixture("speech.wav").subarray(44)]);
	});

	test("of AMR hold all frames behind their own magic number", async () => {
		const { slices } = await cutUp(fixtureSource("speech.amr"), SMALL);
		const frames = slices.flatMap((slice) => [...slice.bytes.subarray(6)]);
		expect(frames).toEqual([...fixture("speech.amr").subarray(6)]);
	});

	test("carry the type and extension of their bytes", async () => {
		const names = async (name: string) => {
			const { slices } = await cutUp(fixtureSource(name), SMALL);
			return [slices[1]?.filename, slices[1]?.contentType];
		};
		expect(await names("speech.wav")).toEqual(["0002.wav", "audio/wav"]);
		expect(await names("video.mp4")).toEqual(["0002.m4a", "audio/mp4"]);
		expect(await names("speech.ts")).toEqual(["0002.m4a", "audio/mp4"]);
		expect(await names("mp2.ts")).toEqual(["0002.mpga", "audio/mpeg"]);
		expect(await names("mp3.mkv")).toEqual(["0002.mp3", "audio/mpeg"]);
		expect(await names("opus.mp4")).toEqual(["0002.ogg", "audio/ogg"]);
	});

	test("of bare AAC go into M4A for an engine that takes no other", async () => {
		const { slices } = await cutUp(fixtureSource("speech.aac"), {}, ["m4a", "wav"]);
		expect(slices.map((slice) => slice.format)).toEqual(["m4a"]);
		expect(await packetsOf((slices[0] as SlicedChunk).bytes)).toEqual(await packetsOf(fixture("aac.mkv")));
		const several = await cutUp(fixtureSource("speech.aac"), SMALL, ["m4a", "wav"]);
		expect(several.slices.map((slice) => slice.format)).toEqual(["m4a", "m4a", "m4a"]);
	});

	test("of AAC in a transport stream stay bare for an engine that takes it so", async () => {
		const { slices } = await cutUp(fixtureSource("speech.ts"), SMALL, ["aac", "m4a"]);
		expect(slices.map((slice) => slice.format)).toEqual(["aac", "aac", "aac"]);
		for (const slice of slices) {
			expect(Math.abs((await secondsOf(slice.bytes)) - slice.durationSeconds)).toBeLessThan(0.15);
		}
	});

	test("of a transport stream are taken out of it even when it is short", async () => {
		const { plan, slices } = await cutUp(fixtureSource("speech.ts"), {});
		expect(plan.chunks).toHaveLength(1);
		expect(slices[0]).toMatchObject({ format: "m4a", filename: "0001.m4a" });
	});

	test.each(["speech.wav", "cbr.mp3", "moov-last.m4a", "speech.flac", "speech.webm"])(
		"of %s read little more than their own bytes",
		async (name) => {
			const source = fixtureSource(name);
			const info = await probe(source);
			const { chunks } = await planChunks(source, info, SMALL);
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

	test("bytes changed anywhere end in slices or in a refusal, never in another error", async () => {
		const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 40, size: "max" });
		await fc.assert(
			fc.asyncProperty(fuzzed, changes, async (name, flips) => {
				const bytes = fixture(name);
				for (const [place, value] of flips) bytes[place % bytes.length] = value;
				await cutUp(bytesSource(bytes), SMALL).catch((error: unknown) => {
					if (!(error instanceof UnsupportedAudio)) throw error;
				});
			}),
			{ numRuns: 200 },
		);
	}, 30_000);
});

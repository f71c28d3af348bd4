import fc from "fast-check";
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import { describe, expect, test } from "vitest";
import { fixture, fixtureNames, fixtureSource } from "./fixture.ts";
import { type ChunkPlan, type PlanOptions, planChunks } from "./plan.ts";
import { probe } from "./probe.ts";
import { type SlicedChunk, sliceChunk } from "./slice.ts";
import { type AudioSource, bytesSource } from "./source.ts";
import { UnsupportedAudio } from "./unsupported-audio.ts";

const SMALL: PlanOptions = { targetSeconds: 4, overlapSeconds: 0.6 };

async function cutUp(source: AudioSource, options: PlanOptions, accepts?: ("m4a" | "wav")[]) {
	const info = await probe(source);
	const plan = await planChunks(source, info, options);
	const slices: SlicedChunk[] = [];
	// Through JSON, as a plan travels between workers.
	const stored = JSON.parse(JSON.stringify({ info, plan })) as { info: typeof info; plan: ChunkPlan };
	for (const chunk of stored.plan.chunks) {
		slices.push(await sliceChunk(source, stored.info, chunk, accepts ? { accepts } : {}));
	}
	return { info, plan, slices };
}

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

const SOUND = fixtureNames.filter(
	(name) =>
		/^(speech|vorbis|cbr|vbr|moov|frag|video|opus|mp3|mp2|amr|aac|live|constant|chained|program)/.test(
			name,
		) && !/aiff|wma/.test(name),
);

describe("planned chunks", () => {
	test.each(SOUND)("of %s cover all of it, border to border", async (name) => {
		const { plan } = await cutUp(fixtureSource(name), SMALL);
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
	])("of %s meet in the pauses of the speech", async (name) => {
		const { info, plan } = await cutUp(fixtureSource(name), SMALL);
		const quiet = plan.chunks.filter((chunk) => chunk.cut === "quiet");
		// AAC at this rate has but seven packets a second, too few to be sure of every pause.
		expect(quiet.length).toBeGreaterThanOrEqual(plan.chunks.length - (info.codec === "aac" ? 2 : 1));
		for (const { endSeconds } of quiet) {
			// Coders delay by up to 0.15 s.
			expect(PAUSES.some(([from, to]) => endSeconds > from && endSeconds < to + 0.15)).toBe(true);
		}
	});

	test.each(["vorbis.ogg", "constant.opus", "mp2.ts"])(
		"of %s overlap, since its packets do not tell pauses",
		async (name) => {
			const { plan } = await cutUp(fixtureSource(name), SMALL);
			expect(plan.chunks.map((chunk) => chunk.cut)).toEqual(["overlap", "overlap", "end"]);
		},
	);

	test("overlap at every border when asked for", async () => {
		const { plan } = await cutUp(fixtureSource("speech.wav"), { ...SMALL, alwaysOverlap: true });
		for (const chunk of plan.chunks.slice(0, -1)) expect(chunk.overlapSeconds).toBeCloseTo(0.6, 1);
	});

	test.each(SOUND.filter((name) => !/\.(ts|mpg)$/.test(name)))(
		"a short file such as %s is one chunk, byte for byte",
		async (name) => {
			const { plan, slices } = await cutUp(fixtureSource(name), {});
			expect(plan.chunks).toHaveLength(1);
			expect(plan.chunks[0]).toMatchObject({ whole: true, cut: "end" });
			expect(slices[0]?.bytes).toEqual(fixture(name));
		},
	);

	test("of any size keep to the limits", async () => {
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
					const { plan, slices } = await cutUp(fixtureSource(name), options);
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

describe("long files", () => {
	/** An hour of silence with a tone in it, as a WAV file that is nowhere in memory. */
	function hourOfSound() {
		const rate = 16000;
		const sound = 3600 * rate * 2;
		const header = fixture("speech.wav").slice(0, 44);
		const view = new DataView(header.buffer);
		view.setUint32(24, rate, true);
		view.setUint32(28, rate * 2, true);
		view.setUint32(40, sound, true);
		const reads: number[] = [];
		const source: AudioSource = {
			size: 44 + sound,
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

	test("are read only around the borders where places are known", async () => {
		const { source, reads } = hourOfSound();
		const info = await probe(source);
		reads.length = 0;
		const plan = await planChunks(source, info);
		expect(plan.durationSeconds).toBe(3600);
		expect(plan.chunks).toHaveLength(24);
		expect(plan.chunks.slice(0, -1).every((chunk) => chunk.cut === "quiet")).toBe(true);
		expect(reads.reduce((sum, read) => sum + read, 0)).toBeLessThan(0.05 * source.size);
		expect(Math.max(...reads)).toBeLessThanOrEqual(1024 * 1024);
	});

	test("of a codec that cannot be cut are refused", async () => {
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
	])("%s cut off in its sound is used as far as it goes, with a warning", async (name, length) => {
		const whole = fixture(name);
		const { plan, slices } = await cutUp(bytesSource(whole.slice(0, length)), SMALL);
		expect(plan.durationSeconds).toBeGreaterThan(4);
		expect(plan.durationSeconds).toBeLessThan(11);
		expect(plan.warnings).toEqual([expect.stringContaining("may be cut off")]);
		expect(slices.length).toBe(plan.chunks.length);
	});

	test("rubbish between frames is passed over", async () => {
		const bytes = fixture("cbr.mp3");
		const rubbish = Uint8Array.from({ length: 3000 }, (_, at) => (at * 7) % 250);
		const spoilt = new Uint8Array([...bytes.slice(0, 9000), ...rubbish, ...bytes.slice(9000)]);
		const { plan } = await cutUp(bytesSource(spoilt), SMALL);
		expect(Math.abs(plan.durationSeconds - 12.17)).toBeLessThan(0.2);
	});

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
	});
});

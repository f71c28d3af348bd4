import {
	constantAmr,
	constantMp3,
	countedSource,
	flac,
	loopedAmr,
	loopedOgg,
	loopedWebm,
	randomFrom,
} from "@parley/audio-files/long-recordings.fixture";
import { probe } from "@parley/audio-files/probe";
import { UnsupportedAudio } from "@parley/audio-files/unsupported-audio";
import { concat } from "@parley/bytes/concat";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PlanOptions, planChunks } from "./plan.ts";
import { sliceChunk } from "./slice-chunk.ts";

const opus = await loopedOgg("speech.opus", 60);
const webm = await loopedWebm(60);
const vorbis = await loopedOgg("vorbis.ogg", 30);
const OPTIONS: PlanOptions = { targetSeconds: 40, overlapSeconds: 2 };

async function planOf(bytes: Uint8Array, options: PlanOptions = OPTIONS) {
	const source = countedSource(bytes);
	const info = await probe(source);
	const plan = await planChunks(source, info, options);
	return { source, info, plan, share: source.bytesRead / source.size };
}

const secondsOf = async (bytes: Uint8Array) => (await planOf(bytes, { thorough: true })).plan.durationSeconds;

/** Expects that a sparse plan divides the file as a full scan would: every chunk has the duration that the plan states. */
async function expectCorrectPlan(bytes: Uint8Array, options: PlanOptions = OPTIONS) {
	const { source, info, plan } = await planOf(bytes, options);
	expect(plan.chunks[0]?.unseen).toBe(true);
	expect(plan.durationSeconds).toBeCloseTo(await secondsOf(bytes), 6);
	expect(plan.chunks[0]?.startSeconds).toBe(0);
	expect(plan.chunks.at(-1)?.endSeconds).toBe(plan.durationSeconds);
	for (const [index, chunk] of plan.chunks.entries()) {
		const before = plan.chunks[index - 1];
		if (before?.cut === "quiet")
			expect([chunk.from, chunk.startSeconds]).toEqual([before.to, before.endSeconds]);
		if (before?.cut === "overlap") {
			// The tolerance is a packet on either side.
			expect(Math.abs(before.overlapSeconds - (options.overlapSeconds ?? 2))).toBeLessThan(0.8);
			expect(chunk.startSeconds).toBeLessThan(before.endSeconds);
		}
		const slice = await sliceChunk(source, info, chunk);
		expect(slice.bytes.length).toBeLessThan((options.maxBytes ?? 16e6) + 1000);
		// An Ogg stream states where it ends, its slices do not.
		const tolerance = info.container === "ogg" || info.container === "matroska" ? 0.07 : 1e-6;
		expect(Math.abs((await secondsOf(slice.bytes)) - slice.durationSeconds)).toBeLessThan(tolerance);
	}
	return plan;
}

describe("a file whose packets state their time", () => {
	const seed = fc.integer({ min: 1, max: 1e6 });
	const options = fc.record({
		targetSeconds: fc.integer({ min: 25, max: 60 }),
		overlapSeconds: fc.constantFrom(0.5, 2),
		alwaysOverlap: fc.boolean(),
		maxBytes: fc.constantFrom(350_000, 16e6),
	});

	/** Options under which a minute of 360 kB exceeds the byte limit. */
	const ONE_TARGET_TOO_LARGE = {
		...{ targetSeconds: 54, overlapSeconds: 0.5, alwaysOverlap: false, maxBytes: 350_000 },
	};

	test("a sparse scan plans MP3 of constant bit rate", async () => {
		const coding = fc.record({
			kbps: fc.constantFrom(32, 64, 128),
			frames: fc.integer({ min: 2600, max: 6000 }),
			info: fc.boolean(),
			infoCountsItself: fc.boolean(),
		});
		await fc.assert(
			fc.asyncProperty(coding, seed, options, async (file, chosen, options) => {
				await expectCorrectPlan(constantMp3(file, chosen), options);
			}),
			{ numRuns: 8 },
		);
	});

	test("a sparse scan plans FLAC", async () => {
		const coding = fc.record({
			frames: fc.integer({ min: 250, max: 500 }),
			variable: fc.boolean(),
			declared: fc.constant(true),
		});
		await fc.assert(
			fc.asyncProperty(coding, seed, options, async (file, chosen, options) => {
				await expectCorrectPlan(flac(file, chosen), options);
			}),
			{ numRuns: 8, examples: [[{ frames: 250, variable: false, declared: true }, 1, ONE_TARGET_TOO_LARGE]] },
		);
	});

	test.each([
		["Opus", opus],
		["Vorbis", vorbis],
		["WebM", webm],
	])("a sparse scan plans %s", async (name, bytes) => {
		await fc.assert(
			fc.asyncProperty(options, async (options) => {
				// Clusters of WebM last five seconds, of which a read covers half on average before the next begins.
				const targetSeconds = (name === "WebM" ? 2 : 1) * options.targetSeconds;
				await expectCorrectPlan(bytes, { ...options, targetSeconds });
			}),
			{ numRuns: 8 },
		);
	});

	test.each([
		["MP3", constantMp3({ kbps: 64, frames: 50_000, info: true })],
		["FLAC", flac({ frames: 3000, variable: false, declared: true })],
		["Opus", opus],
		["Vorbis", vorbis],
		["WebM", webm],
		["AMR", constantAmr(30_000)],
	])("planning and slicing %s reads it only once", async (_, bytes) => {
		const { source, info, plan } = await planOf(bytes, {});
		for (const chunk of plan.chunks) await sliceChunk(source, info, chunk);
		const shared = plan.chunks.reduce((sum, chunk) => sum + chunk.overlapSeconds, 0) / plan.durationSeconds;
		// The ends of the file are read separately.
		expect(source.bytesRead - 64 * 1024).toBeLessThan((1.05 + shared) * source.size);
	});

	test("a file that becomes one chunk is not read in full", async () => {
		const { plan, share } = await planOf(constantMp3({ kbps: 64, frames: 5000 }), {});
		expect(plan.chunks).toMatchObject([{ whole: true, unseen: true }]);
		expect(share).toBeLessThan(0.05);
	});
});

describe("a file that only seems to have a seek index", () => {
	const mp3 = constantMp3({ kbps: 64, frames: 12_000 });
	const middle = mp3.length >> 1;
	const random = randomFrom(3);
	const junk = Uint8Array.from({ length: 3000 }, () => random() * 250);
	const flacFile = flac({ frames: 1200, variable: false, declared: true });
	const opusBytes = opus.length;

	test.each<[string, () => Uint8Array | Promise<Uint8Array>]>([
		["MP3 of two rates", () => concat([mp3, constantMp3({ kbps: 128, frames: 4000 })])],
		[
			"MP3 with another rate in the middle",
			() => concat([mp3, constantMp3({ kbps: 32, frames: 4000 }), mp3]),
		],
		["MP3 with junk between frames", () => concat([mp3.subarray(0, middle), junk, mp3.subarray(middle)])],
		["MP3 with missing bytes", () => concat([mp3.subarray(0, middle), mp3.subarray(middle + 1000)])],
		[
			"two MP3 files with a frame count each",
			() => {
				const file = constantMp3({ kbps: 64, frames: 6000, info: true });
				return concat([file, file]);
			},
		],
		["MP3 with a long tag behind the audio", () => concat([mp3, new Uint8Array(20_000)])],
		["AMR with silence descriptors", () => loopedAmr(60)],
		["FLAC cut off", () => flacFile.subarray(0, flacFile.length - 50_000)],
		["Opus cut off", () => opus.subarray(0, opusBytes - 50_000)],
		[
			"Opus behind Opus with another serial number",
			async () => concat([await loopedOgg("speech.opus", 30, 8), opus]),
		],
		[
			"Opus behind Opus with the same serial number",
			async () => concat([await loopedOgg("speech.opus", 30), opus]),
		],
		["WebM cut off", () => webm.subarray(0, webm.length - 100_000)],
		["WebM behind WebM", () => concat([webm, webm])],
		["a short WebM file before a long one", async () => concat([await loopedWebm(3), webm])],
		["a short Opus file before a long one", async () => concat([await loopedOgg("speech.opus", 2), opus])],
		["a short Vorbis file before a long one", async () => concat([await loopedOgg("vorbis.ogg", 1), vorbis])],
		["a long Opus file before a short one", async () => concat([opus, await loopedOgg("speech.opus", 3)])],
	])("a full scan plans %s", async (_, make) => {
		const bytes = await make();
		const { plan, share } = await planOf(bytes);
		const thorough = await planOf(bytes, { ...OPTIONS, thorough: true });
		expect(plan).toEqual(thorough.plan);
		expect(plan.chunks[0]?.unseen).toBe(false);
		expect(share).toBeGreaterThan(1);
	});
});

test.each<[string, () => Promise<Uint8Array> | Uint8Array]>([
	[
		"MP3 with a frame count",
		() =>
			concat([constantMp3({ kbps: 64, frames: 40, info: true }), constantMp3({ kbps: 64, frames: 9000 })]),
	],
	["Ogg", async () => concat([opus, await loopedOgg("speech.opus", 1, 9)])],
])("a short file of %s in front of long ones does not distort the length of chunks", async (_, make) => {
	const { plan } = await planOf(await make(), { targetSeconds: 40, overlapSeconds: 2, maxBytes: 500_000 });
	expect(plan.durationSeconds).toBeGreaterThan(200);
	for (const { startSeconds, endSeconds } of plan.chunks.slice(0, -1)) {
		expect(endSeconds - startSeconds).toBeGreaterThan(5);
		expect(endSeconds - startSeconds).toBeLessThan(60);
	}
});

test.each([
	["of the same length", 300, 300],
	["of different lengths", 300, 900],
])("two concatenated FLAC files %s are rejected rather than recognised in part", async (_, first, second) => {
	const [a, b] = [first, second].map((frames) => flac({ frames, variable: false, declared: true }));
	const slicing = planOf(concat([a as Uint8Array, b as Uint8Array]), {}).then(({ source, info, plan }) =>
		Promise.all(plan.chunks.map((chunk) => sliceChunk(source, info, chunk))),
	);
	await expect(slicing).rejects.toThrow("several FLAC files");
});

describe("a chunk that the planner has not read", () => {
	const file = { kbps: 32, frames: 6000 };

	test("an unread chunk with more audio than planned is rejected", async () => {
		// Frames of a quarter of the rate, away from any boundary.
		const bytes = constantMp3({ ...file, kbps: 128 });
		const dense = constantMp3({ ...file, kbps: 32 }, 2);
		const source = countedSource(bytes);
		const info = await probe(source);
		const plan = await planChunks(source, info, OPTIONS);
		const [from, to] = [frameBehind(bytes, 150_000), frameBehind(bytes, 300_000)];
		bytes.fill(0, from, to);
		bytes.set(dense.subarray(0, to - from), from);
		expect((await planChunks(source, info, OPTIONS)).chunks).toEqual(plan.chunks);
		const chunk = plan.chunks.find(({ to }) => to[0] > 200_000);
		await expect(sliceChunk(source, info, chunk as (typeof plan.chunks)[0])).rejects.toThrow(
			"contains more audio than its header declares",
		);
		const seen = await planChunks(source, info, { ...OPTIONS, thorough: true });
		expect(seen.durationSeconds).toBeGreaterThan(plan.durationSeconds + 20);
	});

	test.each([
		["MP3", () => constantMp3({ ...file, kbps: 128 }).fill(0, 150_000, 250_000)],
		["Opus", () => concat([opus.subarray(0, opus.length >> 1), opus.subarray((opus.length >> 1) + 20_000)])],
	])("an unread chunk of %s with missing bytes is used as far as it goes", async (_, make) => {
		const { source, info, plan } = await planOf(make());
		expect(plan.chunks[0]?.unseen).toBe(true);
		const slices = [];
		for (const chunk of plan.chunks) slices.push(await sliceChunk(source, info, chunk));
		// Voice detection makes no claim about a chunk that is shorter than planned.
		expect(slices.map(({ voice }) => voice.voiced === null)).toContain(true);
	});

	/** Returns the offset of the first frame from `at`. */
	function frameBehind(bytes: Uint8Array, at: number): number {
		const mean = (144_000 * 128) / 44_100;
		const near = Math.floor(Math.ceil(at / mean) * mean);
		return bytes[near] === 0xff ? near : near + 1;
	}
});

test("a long file with bytes changed anywhere is sliced or rejected, and never causes another error", async () => {
	const files = [
		constantMp3({ kbps: 32, frames: 3000 }),
		flac({ frames: 300, variable: true, declared: true }),
		opus,
		vorbis,
		webm,
	];
	const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 40, size: "max" });
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...files), changes, async (file, flips) => {
			const bytes = file.slice();
			for (const [offset, value] of flips) bytes[offset % bytes.length] = value;
			try {
				const { source, info, plan } = await planOf(bytes);
				for (const chunk of plan.chunks) await sliceChunk(source, info, chunk);
			} catch (error) {
				if (!(error instanceof UnsupportedAudio)) throw error;
			}
		}),
		{ numRuns: 40 },
	);
});

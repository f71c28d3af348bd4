import { env } from "cloudflare:test";
import { outputKey } from "@parley/batch/object-keys";
import { Transcript } from "@parley/contracts/batch/transcript";
import type { JobRow } from "@parley/db/batch/jobs";
import { expect, test } from "vitest";
import { outside } from "../../test/engine.ts";
import { createPipeline, insertJob, keysOf, read, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";

/** Returns an engine's answer with these words, 0.4 s long each. */
const task = (words: Record<string, number>) => () =>
	Response.json({
		task: "transcribe",
		language: "english",
		text: Object.keys(words).join(" "),
		segments: [],
		words: Object.entries(words).map(([word, start]) => ({ word, start, end: start + 0.4 })),
	});

/** A recording in which some seconds are silent. */
function muted(audio: Uint8Array<ArrayBuffer>, from: number, to: number): Uint8Array<ArrayBuffer> {
	audio.fill(0, 44 + from * 32_000, 44 + to * 32_000);
	return audio;
}

async function run(audio: Uint8Array<ArrayBuffer>, reply: () => Response, lowCoverage = "partial") {
	const world = outside({}, reply);
	const pipeline = createPipeline(world);
	pipeline.ctx.env.LOW_COVERAGE = lowCoverage as Env["LOW_COVERAGE"];
	const row = await insertJob({ audio });
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	return { row: await read(row), world, sent: pipeline.sent };
}

const metadataOf = async (row: JobRow) =>
	Transcript.parse(await (await env.MEDIA.get(outputKey(row, "json")))?.json()).metadata;

test("a silent recording is done without an engine: no words, no figure, a warning", async () => {
	const { row, world } = await run(muted(wav(20), 0, 20), task({ Thanks: 3 }));
	expect(row).toMatchObject({
		status: "DONE",
		chunksDone: 1,
		outputMetadata: { word_count: 0, coverage: null, warnings: ["No speech was found."] },
	});
	expect(world.engineCalls).toBe(0);
	expect(await metadataOf(row)).toMatchObject({ coverage_note: "No speech was found.", missing: [] });
});

test("words over all that sounds cover it", async () => {
	const words = Object.fromEntries(Array.from({ length: 20 }, (_, second) => [`w${second}`, second + 0.05]));
	const { row } = await run(wav(20), task(words));
	expect(row.outputMetadata?.coverage).toBeGreaterThan(0.95);
	expect(row.outputMetadata).not.toHaveProperty("partial");
	expect(await metadataOf(row)).toMatchObject({ partial: false, missing: [], removed: [], removed_count: 0 });
});

test("a word in the middle of a silence is taken out and listed, one in sound stays", async () => {
	const { row } = await run(muted(wav(20), 5, 15), task({ Hello: 1.1, Thanks: 9, there: 17.1 }));
	expect(row.outputMetadata?.word_count).toBe(2);
	expect(await metadataOf(row)).toMatchObject({
		removed: [{ start_time: 9, end_time: 9.4, content: "Thanks", reason: "silence" }],
		removed_count: 1,
	});
	expect(await (await env.MEDIA.get(outputKey(row, "txt")))?.text()).not.toContain("Thanks");
});

test("speech that was not recognised makes the transcript partial, and the warning says where", async () => {
	const { row } = await run(wav(20), task({ Hello: 0.1 }));
	expect(row).toMatchObject({ status: "DONE", outputMetadata: { word_count: 1, partial: true } });
	expect(row.outputMetadata?.coverage).toBeLessThan(0.2);
	expect(row.outputMetadata?.warnings[0]).toMatch(/^Words cover \d+ % of the voiced time/);
});

test("a job that accepts no partial transcript fails with a retryable error", async () => {
	const { row, sent } = await run(wav(20), task({ Hello: 0.1 }), "fail");
	expect(row).toMatchObject({ status: "FAILED", error: { code: "low_coverage", retryable: true } });
	expect(sent).toEqual([]);
	expect(await keysOf(row, "outputs")).toEqual([]);
});

import { env } from "cloudflare:test";
import { outputKey } from "@parley/batch/object-keys";
import { Transcript } from "@parley/contracts/batch/transcript";
import { organisations } from "@parley/db/platform/organisations";
import { createSpeechRegistry } from "@parley/engines/speech/speech-registry";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { outside, verboseJson } from "../../test/engine.ts";
import { createPipeline, db, insertJob, read, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";
import { MAX_ATTEMPTS } from "../queue/consume.ts";

const server = (host: string, model: object) => ({
	vendor: "openai-compatible",
	base_url: `https://${host}/v1`,
	models: [{ model: "whisper-1", ...model }],
});
const SPEECH_ENGINES = JSON.stringify([
	server("engine.example", { code: "test/whisper", fallback: "test/spare" }),
	server("spare.example", { code: "test/spare" }),
]);

type Reply = () => Response;
const status = (code: number) => () => Response.json({ error: { message: "no" } }, { status: code });
const WARNING = "test/whisper could not be used: test/spare recognised the audio or parts of it.";

/** A pipeline whose engine answers so, in turn, and whose spare one answers so. */
function createPair(spare: Reply, ...replies: Reply[]) {
	const world = outside({ "spare.example": spare }, ...replies);
	const engines = createSpeechRegistry({ SPEECH_ENGINES }, { fetch: (request) => world.fetch(request) });
	return { world, pipeline: createPipeline({ ...world, engines: () => engines }) };
}

test("a job whose engine refuses the key is done by its fallback, and counted once", async () => {
	const { world, pipeline } = createPair(verboseJson, status(401));
	const row = await insertJob({ audio: wav(3), creditSeconds: 100 });
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	const done = await read(row);
	expect(done).toMatchObject({
		status: "DONE",
		modelCode: "test/whisper",
		outputMetadata: { word_count: 2, engine: "test/spare", warnings: expect.arrayContaining([WARNING]) },
	});
	expect(done.outputMetadata).not.toHaveProperty("engines");
	expect([world.engineCalls, world.fetches]).toEqual([1, 1]);
	const [organisation] = await db
		.select()
		.from(organisations)
		.where(eq(organisations.id, row.organisationId));
	expect(organisation?.creditSeconds).toBe(97);
});

test("an engine that is away for a while keeps its job; away for longer, it is relieved", async () => {
	const { world, pipeline } = createPair(verboseJson, status(503));
	const row = await insertJob({ audio: wav(3) });
	await pipeline.deliver([startMessage(row)]);
	const [chunk] = pipeline.sent.splice(0);
	if (!chunk) throw new Error("There is no chunk");
	for (const attempt of [1, 2]) {
		expect((await pipeline.deliver([chunk.body], attempt)).retryMessages).toHaveLength(1);
		expect(world.fetches).toBe(0);
	}
	await pipeline.deliver([chunk.body], 3);
	await pipeline.drain();
	expect(await read(row)).toMatchObject({ status: "DONE", outputMetadata: { engine: "test/spare" } });
});

test("a job of several engines names them all", async () => {
	const { pipeline } = createPair(verboseJson, verboseJson, status(401));
	const row = await insertJob({ audio: wav(200) });
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	const engines = { engine: "test/whisper", engines: ["test/whisper", "test/spare"] };
	expect(await read(row)).toMatchObject({ status: "DONE", outputMetadata: engines });
	const transcript = await (await env.MEDIA.get(outputKey(row, "json")))?.json();
	const { metadata } = Transcript.parse(transcript);
	expect(metadata).toMatchObject(engines);
	expect(metadata.warnings).toContain(WARNING);
});

test("a fallback that is away is waited for, and the job fails with that reason in the end", async () => {
	const { pipeline } = createPair(status(401), status(503));
	const row = await insertJob({ audio: wav(3) });
	await pipeline.deliver([startMessage(row)]);
	const [chunk] = pipeline.sent.splice(0);
	for (const attempt of [1, 2, MAX_ATTEMPTS]) if (chunk) await pipeline.deliver([chunk.body], attempt);
	expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "engine_unavailable" } });
});

test("audio that the engine refuses goes to no other", async () => {
	const { world, pipeline } = createPair(verboseJson, status(415));
	const row = await insertJob({ audio: wav(3) });
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "engine_rejected_audio" } });
	expect(world.fetches).toBe(0);
});

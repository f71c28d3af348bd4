import { env } from "cloudflare:test";
import { chunkResultKey, outputKey } from "@parley/batch/object-keys";
import { EXTRA_CONFIGS } from "@parley/contracts/batch/job-configs";
import { Transcript } from "@parley/contracts/batch/transcript";
import type { JobRow } from "@parley/db/batch/jobs";
import { describe, expect, test } from "vitest";
import { outside } from "../../test/engine.ts";
import { createPipeline, insertJob, keysOf, read, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";
import { consumeDeadLetters } from "../queue/consume.ts";

type Asked = Partial<JobRow["jobConfig"]>;
type Body = { messages: { content: string }[] };

const french: Asked = { translation_config: { target_languages: ["fr"] } };
const everything: Asked = {
	translation_config: { target_languages: ["fr", "de"] },
	summarization_config: EXTRA_CONFIGS.summarization_config.parse({}),
	sentiment_analysis_config: {},
	topic_detection_config: { topics: ["world"] },
	auto_chapters_config: {},
};

const insert = (asked: Asked, language = "en", seconds = 3) =>
	insertJob({
		audio: wav(seconds),
		jobConfig: {
			transcription_config: {
				language,
				operating_point: "enhanced",
				diarization: "none",
				enable_entities: false,
			},
			...asked,
		},
	});

/** A chat server that translates by turning words to capitals, and tells which language it was asked for. */
async function translate(request: Request): Promise<Response> {
	const { messages } = (await request.json()) as Body;
	const target = /to (\w+) \(/.exec(messages[0]?.content ?? "")?.[1];
	const [, json = "[]"] = /<transcript>\n(.*)\n</.exec(messages[1]?.content ?? "") ?? [];
	const sentences = (JSON.parse(json) as { id: number; text: string }[]).map(({ id, text }) => ({
		id,
		translation: `${target}: ${text.toUpperCase()}`,
	}));
	return said(JSON.stringify({ sentences }));
}

const said = (content: string) =>
	Response.json({ choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }] });

const chatting = (reply: (request: Request) => Response | Promise<Response>, ...words: (() => Response)[]) =>
	outside({ "chat.example": reply }, ...words);

const silence = () => Response.json({ language: "english", text: "", segments: [], words: [] });

const sleep = async () => {};

const bytesOf = async (row: JobRow) => (await env.MEDIA.get(outputKey(row, "json")))?.text();
const transcriptOf = async (row: JobRow) => Transcript.parse(JSON.parse((await bytesOf(row)) ?? ""));

test("what was asked for beside the transcript is made, and says what made it", async () => {
	const world = chatting(translate);
	const { deliver, drain } = createPipeline({ fetch: world.fetch });
	const row = await insert(everything);
	await deliver([startMessage(row)]);
	await drain();
	expect(await read(row)).toMatchObject({ status: "DONE", outputMetadata: { warnings: [] } });
	const span = { start_time: 0.5, end_time: 1.5 };
	expect(await transcriptOf(row)).toMatchObject({
		metadata: {
			language_engines: {
				"translation/fr": "test/chat",
				"translation/de": "test/chat",
				summarization: "parley/classical/textrank",
				sentiment_analysis: "parley/classical/afinn-165",
				topic_detection: "parley/classical/keywords",
				auto_chapters: "parley/classical/texttiling",
			},
		},
		translations: {
			fr: [{ ...span, content: "French: HELLO, WORLD." }],
			de: [{ ...span, content: "German: HELLO, WORLD." }],
		},
		summary: { content: "- Hello, world." },
		sentiment_analysis: { segments: [{ text: "Hello, world.", ...span, sentiment: "neutral" }] },
		topics: { segments: [{ ...span, topics: [{ topic: "world" }] }], summary: { overall: { world: 1 } } },
		chapters: [{ ...span, title: "World", summary: "Hello, world." }],
	});
	expect(await keysOf(row, "work")).toEqual([]);
});

test("doubled messages ask once and write the same", async () => {
	const world = chatting(translate);
	const { deliver, drain, sent } = createPipeline({ fetch: world.fetch });
	const row = await insert(french);
	await deliver([startMessage(row)]);
	while (sent.length > 0 && sent[0]?.body.type !== "FinishJob")
		await deliver(sent.splice(0).map(({ body }) => body));
	await drain(3);
	expect(await read(row)).toMatchObject({ status: "DONE" });
	expect(world.fetches).toBe(1);
});

test("a job that is finished again asks nobody again", async () => {
	const world = chatting(translate);
	const { deliver, sent, ctx } = createPipeline({ fetch: world.fetch });
	const row = await insert(french);
	await deliver([startMessage(row)]);
	const next = () => sent.splice(0).map(({ body }) => body);
	await deliver(next());
	const finish = next();
	expect(finish.map(({ type }) => type)).toEqual(["FinishJob"]);
	await deliver(finish);
	const extras = next();
	expect(extras.map(({ type }) => type)).toEqual(["MakeExtras"]);
	await deliver(extras);
	await deliver(extras);
	expect(world.fetches).toBe(1);
	expect(await read(row)).toMatchObject({ status: "POST_PROCESSING", leaseToken: null });
	// The outcome is stored, so that nothing else is needed of the engine any more.
	ctx.languageEngines = () => {
		throw new Error("not needed");
	};
	await deliver(next());
	expect(await read(row)).toMatchObject({ status: "DONE" });
	expect((await transcriptOf(row)).translations).toHaveProperty("fr");
});

test("the job's lease keeps others from making its extras meanwhile", async () => {
	const gate = Promise.withResolvers<void>();
	const asked = Promise.withResolvers<void>();
	const world = chatting(async (request) => {
		asked.resolve();
		await gate.promise;
		return translate(request);
	});
	const { deliver, drain, sent } = createPipeline({ fetch: world.fetch });
	const row = await insert(french);
	await deliver([startMessage(row)]);
	while (sent[0]?.body.type !== "MakeExtras") await deliver(sent.splice(0).map(({ body }) => body));
	const messages = sent.splice(0).map(({ body }) => body);
	const first = deliver(messages);
	await asked.promise;
	await deliver(messages);
	gate.resolve();
	await first;
	await drain();
	expect(await read(row)).toMatchObject({ status: "DONE" });
	expect(world.fetches).toBe(1);
});

describe("an engine that fails costs its extra, never the transcript", () => {
	test.each([
		["for good", () => Response.json({ error: "no" }, { status: 401 }), "engine_unauthorized", 1],
		["every time", () => Response.json({ error: "no" }, { status: 503 }), "engine_unavailable", 4],
		["with nonsense", () => said("I would rather not."), "engine_bad_response", 2],
		[
			"and asks for an hour",
			() => Response.json({}, { status: 429, headers: { "retry-after": "3600" } }),
			"engine_rate_limited",
			1,
		],
	])("%s", async (_, reply, type, calls) => {
		const world = chatting(reply);
		const { deliver, drain } = createPipeline({ fetch: world.fetch, sleep });
		const row = await insert({ ...french, sentiment_analysis_config: {} });
		await deliver([startMessage(row)]);
		await drain();
		const done = await read(row);
		expect(done).toMatchObject({ status: "DONE", error: null });
		const transcript = await transcriptOf(row);
		const [error] = transcript.metadata.translation_errors ?? [];
		expect(error).toMatchObject({ type, target_language: "fr" });
		expect(done.outputMetadata?.warnings).toEqual([`translation/fr: ${error?.message}`]);
		expect(transcript.translations).toBeUndefined();
		expect(transcript.sentiment_analysis?.segments).toHaveLength(1);
		expect(transcript.results).not.toEqual([]);
		expect(world.fetches).toBe(calls);
	});

	test("unless trying again helps", async () => {
		let calls = 0;
		const waits: number[] = [];
		const world = chatting((request) =>
			calls++ === 0
				? Response.json({}, { status: 429, headers: { "retry-after": "7" } })
				: translate(request),
		);
		const { deliver, drain } = createPipeline({
			fetch: world.fetch,
			sleep: async (ms) => void waits.push(ms),
		});
		const row = await insert(french);
		await deliver([startMessage(row)]);
		await drain();
		expect((await transcriptOf(row)).translations).toHaveProperty("fr");
		expect(waits).toEqual([7000]);
	});

	test("nor do settings that are wrong", async () => {
		const { deliver, drain, ctx } = createPipeline(chatting(translate));
		ctx.languageEngines = () => {
			throw new Error("LANGUAGE_ENGINES is not JSON");
		};
		const row = await insert({ auto_chapters_config: {} });
		await deliver([startMessage(row)]);
		await drain();
		expect(await read(row)).toMatchObject({ status: "DONE" });
		expect((await transcriptOf(row)).metadata.auto_chapters_errors).toMatchObject([
			{ type: "internal_error" },
		]);
	});

	test("nor does a message that the queue gave up", async () => {
		const { deliver, drain, sent, ctx } = createPipeline(chatting(translate));
		const row = await insert(french);
		await deliver([startMessage(row)]);
		while (sent[0]?.body.type !== "MakeExtras") await deliver(sent.splice(0).map(({ body }) => body));
		const messages = sent.splice(0).map(({ body }) => ({ body, ack: () => {} }));
		await consumeDeadLetters(ctx, { messages } as unknown as MessageBatch);
		await drain();
		expect(await read(row)).toMatchObject({ status: "DONE" });
		expect((await transcriptOf(row)).metadata.translation_errors).toMatchObject([{ type: "gave_up" }]);
	});
});

test("a detected language that no engine takes is an error of the extra", async () => {
	const danish = () =>
		Response.json({
			language: "danish",
			text: "Goddag.",
			words: [{ word: "Goddag.", start: 0.5, end: 1 }],
		});
	const world = chatting(translate, danish);
	const { deliver, drain } = createPipeline(world);
	const row = await insert({ ...french, translation_config: { target_languages: ["fr", "da"] } }, "auto");
	await deliver([startMessage(row)]);
	await drain();
	const { translations, metadata } = await transcriptOf(row);
	expect(translations?.fr).toHaveLength(1);
	expect(metadata.translation_errors).toEqual([
		{ type: "unsupported_language", message: "The audio is already in da.", target_language: "da" },
	]);
});

test("a transcript without words has empty extras, and no engine is called", async () => {
	const world = chatting(translate, silence);
	const { deliver, drain } = createPipeline(world);
	const row = await insert(everything);
	await deliver([startMessage(row)]);
	await drain();
	expect(await read(row)).toMatchObject({ status: "DONE", outputMetadata: { word_count: 0 } });
	expect(await transcriptOf(row)).toMatchObject({
		translations: { fr: [], de: [] },
		summary: { content: "" },
		sentiment_analysis: { segments: [] },
		topics: { segments: [], summary: { overall: {} } },
		chapters: [],
	});
	expect(world.fetches).toBe(0);
});

test.each(["en", "auto"])(
	"what no engine offers is reported, and the job is done (language %s)",
	async (language) => {
		const LANGUAGE_ENGINES = "[]" as Env["LANGUAGE_ENGINES"];
		const { deliver, drain } = createPipeline({ fetch: chatting(translate).fetch }, { LANGUAGE_ENGINES });
		const row = await insert({ ...everything, audio_events_config: {} }, language);
		await deliver([startMessage(row)]);
		await drain();
		const message = "No engine of this deployment offers this feature.";
		const error = { type: "not_offered", message };
		const warnings = [
			"translation/fr",
			"translation/de",
			"summarization",
			"sentiment_analysis",
			"topic_detection",
			"auto_chapters",
			"audio_events",
		].map((name) => `${name}: ${message}`);
		const { status, outputMetadata } = await read(row);
		expect([status, outputMetadata?.warnings]).toEqual(["DONE", warnings]);
		const { metadata, ...transcript } = await transcriptOf(row);
		expect(metadata).toMatchObject({
			warnings,
			translation_errors: [
				{ ...error, target_language: "fr" },
				{ ...error, target_language: "de" },
			],
			summarization_errors: [error],
			sentiment_analysis_errors: [error],
			topic_detection_errors: [error],
			auto_chapters_errors: [error],
			audio_events_errors: [error],
		});
		for (const name of [
			"translations",
			"summary",
			"sentiment_analysis",
			"topics",
			"chapters",
			"audio_events",
		])
			expect(transcript).not.toHaveProperty(name);
	},
);

test("what no engine offers is reported of a recording without words, too", async () => {
	const LANGUAGE_ENGINES = '[{"vendor":"classical"}]' as Env["LANGUAGE_ENGINES"];
	const { deliver, drain } = createPipeline({ fetch: outside({}, silence).fetch }, { LANGUAGE_ENGINES });
	const row = await insert(everything, "auto");
	await deliver([startMessage(row)]);
	await drain();
	const { metadata, summary } = await transcriptOf(row);
	expect(summary).toEqual({ content: "" });
	expect(metadata.translation_errors).toMatchObject([{ type: "not_offered" }, { type: "not_offered" }]);
	expect(metadata).not.toHaveProperty("summarization_errors");
});

test("a job that is lost while its extras are made is finished all the same", async () => {
	const world = chatting(translate);
	const { deliver, sent, recover } = createPipeline(world);
	const row = await insert(french);
	await deliver([startMessage(row)]);
	while (sent[0]?.body.type !== "MakeExtras") await deliver(sent.splice(0).map(({ body }) => body));
	sent.splice(0);
	await recover();
	expect(await read(row)).toMatchObject({ status: "DONE" });
	expect(world.fetches).toBe(1);
});

test("chunks whose results have vanished are recognised again first", async () => {
	const world = chatting(translate);
	const { deliver, drain, sent } = createPipeline(world);
	const row = await insert(french);
	await deliver([startMessage(row)]);
	while (sent[0]?.body.type !== "MakeExtras") await deliver(sent.splice(0).map(({ body }) => body));
	await env.MEDIA.delete(chunkResultKey(row, 0));
	await drain();
	expect(await read(row)).toMatchObject({ status: "DONE" });
	expect([world.engineCalls, world.fetches]).toEqual([2, 1]);
});

test("a job that fails for low coverage pays for no extras", async () => {
	const world = chatting(translate);
	const { deliver, drain, ctx } = createPipeline(world);
	ctx.env.LOW_COVERAGE = "fail" as Env["LOW_COVERAGE"];
	const row = await insert(french, "en", 20);
	await deliver([startMessage(row)]);
	await drain();
	expect(await read(row)).toMatchObject({ status: "FAILED", error: { code: "low_coverage" } });
	expect(world.fetches).toBe(0);
});

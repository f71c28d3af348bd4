import { expect, test } from "vitest";
import { call, finished, speechFixture } from "./batch-client.ts";

type Span = { start_time: number; end_time: number };
type Transcript = {
	job: { duration: number };
	results: Span[];
	metadata: { language_engines: Record<string, string>; warnings: string[] };
	summary: { content: string };
	sentiment_analysis: { segments: (Span & { text: string })[] };
	topics: { summary: { overall: Record<string, number> } };
	chapters: Span[];
	audio_events: Span[];
};

test("a minute of speech has a summary, sentiment, topics and chapters without any model, and no music", async () => {
	const made = { summarization_config: {}, sentiment_analysis_config: {}, auto_chapters_config: {} };
	const extras = { ...made, audio_events_config: {} };
	const { status, body } = await call<{ job_id: string }>("POST", "/v1/batch/jobs", {
		input_base64: speechFixture("minute.mp3").toString("base64"),
		input_filename: "minute.mp3",
		...extras,
		topic_detection_config: { topics: ["books", "weather"] },
	});
	expect(status, JSON.stringify(body)).toBe(202);
	expect((await finished(body.job_id)).status).toBe("DONE");
	const { body: transcript } = await call<Transcript>("GET", `/v1/batch/jobs/${body.job_id}/transcript`);
	const { results, summary, sentiment_analysis, topics, chapters, metadata } = transcript;
	expect(Object.keys(metadata.language_engines)).toHaveLength(5);
	expect(transcript.audio_events).toEqual([]);
	const lines = summary.content.split("\n");
	expect(lines).toHaveLength(3);
	const said = sentiment_analysis.segments.map(({ text }) => text);
	for (const line of lines) expect(said).toContain(line.slice(2));
	expect(said.join(" ").split(" ")).toHaveLength(results.length);
	expect(Object.keys(topics.summary.overall)).toEqual(["books"]);
	expect(chapters[0]?.start_time).toBe(results[0]?.start_time);
	expect(chapters.at(-1)?.end_time).toBe(results.at(-1)?.end_time);
}, 120_000);

test("what no engine offers is reported in the transcript, and the catalog says beforehand what is offered", async () => {
	const { body } = await call<{ job_id: string }>("POST", "/v1/batch/jobs", {
		input_base64: speechFixture("clip.mp3").toString("base64"),
		input_filename: "clip.mp3",
		translation_config: { target_languages: ["fr"] },
		audio_events_config: { types: ["music", "laughter"] },
	});
	const translation = "No engine of this deployment offers this feature.";
	const laughter = "No engine of this deployment detects laughter. Available: music.";
	const warnings = [`translation/fr: ${translation}`, `audio_events: ${laughter}`];
	expect(await finished(body.job_id)).toMatchObject({
		status: "DONE",
		output_metadata: { warnings: expect.arrayContaining(warnings) },
	});
	const { body: transcript } = await call<Transcript>("GET", `/v1/batch/jobs/${body.job_id}/transcript`);
	expect(transcript.metadata).toMatchObject({
		warnings: expect.arrayContaining(warnings),
		translation_errors: [{ type: "not_offered", message: translation, target_language: "fr" }],
		audio_events_errors: [{ type: "not_offered", message: laughter }],
	});
	expect(transcript.audio_events).toEqual([]);

	type Catalog = { items: { code: string; capabilities: string[] }[] };
	const { body: catalog } = await call<Catalog>("GET", "/v1/catalog/models?service_type=audio_intelligence");
	expect(catalog.items.map(({ code }) => code)).toEqual(["parley/classical"]);
	expect(catalog.items[0]?.capabilities).toContain("audio_events.music");
	expect(catalog.items[0]?.capabilities).not.toContain("translation");
}, 60_000);

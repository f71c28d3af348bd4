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

test("a translation that no engine offers is refused by its field", async () => {
	const { status, body } = await call<{ error: string }>("POST", "/v1/batch/jobs", {
		input_url: "https://host.example/a.wav",
		translation_config: { target_languages: ["fr"] },
	});
	expect([status, body.error]).toEqual([400, "translation_config: No engine of this deployment offers it"]);
});

test("a sound that no engine tells is refused with those that one does", async () => {
	const { status, body } = await call<{ error: string }>("POST", "/v1/batch/jobs", {
		input_url: "https://host.example/a.wav",
		audio_events_config: { types: ["music", "laughter"] },
	});
	const message = "audio_events_config.types: No engine of this deployment tells laughter, only music";
	expect([status, body.error]).toEqual([400, message]);
});

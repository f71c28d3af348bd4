import { env } from "cloudflare:workers";
import { SubmitJob } from "@parley/contracts/batch/job-submission";
import { createSpeechRegistry } from "@parley/engines/speech/speech-registry";
import { expect, test } from "vitest";
import { createClient } from "../test/client.ts";
import { resolveRequest } from "./job-request.ts";

const everything = {
	translation_config: { target_languages: ["fr", "xx"] },
	summarization_config: { content_type: "conversational" },
	sentiment_analysis_config: {},
	topic_detection_config: { topics: ["Geld"] },
	auto_chapters_config: {},
	audio_events_config: { types: ["music", "applause"] },
};

function resolve(body: object) {
	const ctx = { engines: createSpeechRegistry(env) };
	return resolveRequest(ctx, SubmitJob.parse({ input_url: "https://host.example/a.wav", ...body }));
}

test("what was asked for stands in the job's configuration, with its defaults", () => {
	const { config } = resolve({ summarization_config: {}, auto_chapters_config: {} });
	expect(config).toMatchObject({
		summarization_config: { content_type: "auto", summary_length: "brief", summary_type: "bullets" },
		auto_chapters_config: {},
	});
	expect(config).not.toHaveProperty("translation_config");
});

test.each(["submission", "presign call"])("an extra that no engine offers is accepted: %s", async (kind) => {
	const { call } = await createClient();
	const input =
		kind === "submission"
			? { input_url: "https://host.example/a.wav" }
			: { mode: "presign", filename: "a.wav" };
	const body = { ...input, job_id: "extras1", transcription_config: { language: "en" }, ...everything };
	const { status } = await call("POST", "/v1/batch/jobs", body);
	expect(status).toBe(kind === "submission" ? 202 : 200);
	if (status !== 202) return;
	const { body: job } = await call<{ job_config: object }>("GET", "/v1/batch/jobs/extras1");
	expect(job.job_config).toMatchObject(everything);
});

test.each([
	[
		"a language twice",
		{ translation_config: { target_languages: ["fr", "de", "fr"] } },
		"target_languages.2",
	],
	["no language", { translation_config: { target_languages: [] } }, "target_languages"],
	[
		"a language that is no tag",
		{ translation_config: { target_languages: ["French"] } },
		"target_languages.0",
	],
	["an unknown option", { sentiment_analysis_config: { depth: 1 } }, "sentiment_analysis_config.depth"],
	[
		"an unknown type of event",
		{ audio_events_config: { types: ["barking"] } },
		"audio_events_config.types.0",
	],
	["text for a configuration", { auto_chapters_config: "yes" }, "auto_chapters_config"],
])("a malformed extra is refused by its field: %s", async (_, extra, field) => {
	const { submit } = await createClient();
	const { status, body } = await submit({ input_url: "https://host.example/a.wav", ...extra });
	expect(status).toBe(400);
	expect(body.error).toContain(`${field}: `);
});

test("a feature of transcription_config that the engine lacks is still refused", async () => {
	const { submit } = await createClient();
	const transcription_config = { diarization: "speaker" };
	const { status, body } = await submit({ input_url: "https://host.example/a.wav", transcription_config });
	expect(status).toBe(400);
	expect(body.error).toMatch(/^transcription_config\.diarization: /);
});

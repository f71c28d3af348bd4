import { env } from "cloudflare:workers";
import { ApiError } from "@parley/contracts/api-error";
import { SubmitJob } from "@parley/contracts/job-submission";
import { parseLanguageCapabilities } from "@parley/engines/language/capabilities";
import { createEngineRegistry } from "@parley/engines/registry";
import { describe, expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import { resolveRequest } from "./job-request.ts";

const chat = { vendor: "openai-compatible", base_url: "https://chat.example/v1", model: "chat" };

function resolve(languageEngines: unknown, body: object) {
	const ctx = {
		engines: createEngineRegistry(env),
		languageEngines: () => parseLanguageCapabilities(JSON.stringify(languageEngines)),
	};
	return resolveRequest(ctx, SubmitJob.parse({ input_url: "https://host.example/a.wav", ...body }));
}

function refusal(languageEngines: unknown, body: object): string | undefined {
	try {
		resolve(languageEngines, body);
		return undefined;
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		return error.message;
	}
}

describe("an extra that no engine of the deployment offers is refused by its field", () => {
	const german = { transcription_config: { language: "de" } };
	test.each<[string, object, string?]>([
		["translation_config", { translation_config: { target_languages: ["fr"] } }],
		["summarization_config.content_type", { summarization_config: { content_type: "conversational" } }],
		["summarization_config", { summarization_config: {}, ...german }],
		["sentiment_analysis_config", { sentiment_analysis_config: {}, ...german }],
		["topic_detection_config", { topic_detection_config: { topics: ["Geld"] }, ...german }],
		["auto_chapters_config", { auto_chapters_config: {}, ...german }],
	])("%s", (field, body) => {
		expect(refusal([{ vendor: "classical" }], body)).toMatch(new RegExp(`^${field}: `));
		expect(refusal([{ vendor: "classical" }, chat], body)).toBeUndefined();
	});

	test("audio_events_config, by its types where others are offered", () => {
		const events = (...types: string[]) => ({ audio_events_config: { types } });
		expect(refusal([chat], { audio_events_config: {} })).toBe(
			"audio_events_config: No engine of this deployment offers it",
		);
		for (const engines of [[{ vendor: "classical" }], [chat, { vendor: "classical" }]]) {
			expect(refusal(engines, events("music", "applause"))).toBe(
				"audio_events_config.types: No engine of this deployment tells applause, only music",
			);
			expect(refusal(engines, { ...events("music"), ...german })).toBeUndefined();
			expect(refusal(engines, { audio_events_config: {}, ...german })).toBeUndefined();
		}
	});

	test("translation_config.target_languages.1", () => {
		const body = { translation_config: { target_languages: ["fr", "xx"] } };
		expect(refusal([chat], body)).toBe("translation_config.target_languages.1: Nothing is translated to xx");
	});

	test("by its language, where that is what is lacking", () => {
		expect(refusal([{ vendor: "classical" }], { summarization_config: {}, ...german })).toBe(
			"summarization_config: Not offered for the language de, only for en",
		);
	});

	test("without any engine", () => {
		expect(refusal([], { auto_chapters_config: {} })).toBe(
			"auto_chapters_config: No engine of this deployment offers it",
		);
	});
});

test("a language that is to be detected is judged when it is known", () => {
	const body = { transcription_config: { language: "auto" }, sentiment_analysis_config: {} };
	expect(refusal([{ vendor: "classical" }], body)).toBeUndefined();
});

test("what was asked for stands in the job's configuration, with its defaults", () => {
	const { config } = resolve([{ vendor: "classical" }], {
		summarization_config: {},
		auto_chapters_config: {},
	});
	expect(config).toMatchObject({
		summarization_config: { content_type: "auto", summary_length: "brief", summary_type: "bullets" },
		auto_chapters_config: {},
	});
	expect(config).not.toHaveProperty("translation_config");
});

test("the plane refuses an extra with 400 and makes no job", async () => {
	const { submit, call } = await createClient();
	const input = { input_url: "https://host.example/a.wav", job_id: "extras1" };
	const { status, body } = await submit({ ...input, translation_config: { target_languages: ["fr"] } });
	expect([status, body.error]).toEqual([400, "translation_config: No engine of this deployment offers it"]);
	expect((await call("GET", "/v1/batch/jobs/extras1")).status).toBe(404);
	expect((await submit({ ...input, sentiment_analysis_config: {} })).status).toBe(202);
	const { body: job } = await call<{ job_config: object }>("GET", "/v1/batch/jobs/extras1");
	expect(job.job_config).toHaveProperty("sentiment_analysis_config", {});
});

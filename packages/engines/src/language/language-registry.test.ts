import { describe, expect, test } from "vitest";
import { EngineSettingsError } from "../settings.ts";
import { EngineError } from "../transport/engine-error.ts";
import { type ExtrasConfig, extrasOf, whyNoEngine } from "./extras.ts";
import { createLanguageRegistry } from "./language-registry.ts";

const chat = { vendor: "openai-compatible", base_url: "http://chat.test/v1", model: "chat-model" };
const registry = (engines: unknown, env: object = {}) =>
	createLanguageRegistry({ LANGUAGE_ENGINES: JSON.stringify(engines), ...env });
const summaryOptions = { content_type: "auto", summary_length: "brief", summary_type: "bullets" } as const;

function refusals(engines: unknown, config: ExtrasConfig, language = "en") {
	return extrasOf(config).flatMap((extra) => whyNoEngine(registry(engines).engines, extra, language) ?? []);
}

test("there is no engine if nothing is configured", () => {
	for (const LANGUAGE_ENGINES of ["", " ", "[]"])
		expect(createLanguageRegistry({ LANGUAGE_ENGINES }).engines).toEqual([]);
});

test.each([
	["text that is not JSON", () => createLanguageRegistry({ LANGUAGE_ENGINES: "[" })],
	["an unknown vendor", () => registry([{ vendor: "nobody" }])],
	["an unknown feature", () => registry([{ vendor: "classical", features: ["poetry"] }])],
	["a missing secret", () => registry([{ ...chat, api_key_secret: "CHAT_KEY" }])],
	["Workers AI without its binding", () => registry([{ vendor: "workers-ai" }])],
])("%s is a settings error", (_, build) => {
	expect(build).toThrow(EngineSettingsError);
});

test("an engine has exactly the methods of its capabilities", () => {
	const methods = {
		translate: "translation",
		summarise: "summarization",
		judgeSentiment: "sentiment_analysis",
	};
	const more = { findTopics: "topic_detection", findChapters: "auto_chapters", findEvents: "audio_events" };
	const all = { ...methods, ...more };
	const engines = [{ vendor: "classical" }, chat, { ...chat, features: ["translation"] }];
	for (const engine of registry([...engines, { vendor: "classical", features: ["auto_chapters"] }]).engines)
		for (const [method, feature] of Object.entries(all))
			expect(method in engine).toBe(feature in engine.capabilities);
});

test("the first engine that supports a feature for the language is used", () => {
	const { find } = registry([{ vendor: "classical", features: ["summarization"] }, chat]);
	const [summary, sentiment] = extrasOf({
		summarization_config: summaryOptions,
		sentiment_analysis_config: {},
	});
	const [conversation] = extrasOf({
		summarization_config: { ...summaryOptions, content_type: "conversational" },
	});
	expect(find(summary!, "en")?.code).toBe("parley/classical");
	expect(find(summary!, "de")?.code).toBe("chat-model");
	expect(find(conversation!, "en")?.code).toBe("chat-model");
	expect(find(sentiment!, "en")?.code).toBe("chat-model");
});

describe("whyNoEngine", () => {
	const classical = [{ vendor: "classical" }];
	const french = { translation_config: { target_languages: ["fr"] } };

	test.each<[string, unknown, ExtrasConfig, string | undefined, string?]>([
		["a translation without a model", classical, french, "translation_config"],
		["an extra without any engine", [], { auto_chapters_config: {} }, "auto_chapters_config"],
		["a translation with a model", [chat], french, undefined],
		[
			"an unknown target language",
			[chat],
			{ translation_config: { target_languages: ["fr", "xx"] } },
			"translation_config.target_languages.1",
		],
		[
			"a target language that is not configured",
			[{ ...chat, target_languages: ["de", "pt"] }],
			french,
			"translation_config.target_languages.0",
		],
		[
			"a regional form of a configured target language",
			[{ ...chat, target_languages: ["de", "pt"] }],
			{ translation_config: { target_languages: ["pt-BR"] } },
			undefined,
		],
		[
			"the language of the audio as target",
			[chat],
			{ translation_config: { target_languages: ["en"] } },
			"translation_config.target_languages.0",
		],
		[
			"an extractive summary of a conversation",
			classical,
			{ summarization_config: { ...summaryOptions, content_type: "conversational" } },
			"summarization_config.content_type",
		],
		[
			"German sentiment by lexicon",
			classical,
			{ sentiment_analysis_config: {} },
			"sentiment_analysis_config",
			"de",
		],
		[
			"a feature for a language to be detected",
			classical,
			{ sentiment_analysis_config: {} },
			undefined,
			"auto",
		],
		[
			"an event type that is not supported",
			classical,
			{ audio_events_config: { types: ["music", "laughter"] } },
			"audio_events_config.types",
		],
		["audio events with only a chat model", [chat], { audio_events_config: {} }, "audio_events_config"],
		["music in any language", classical, { audio_events_config: { types: ["music"] } }, undefined, "de"],
		["all available audio events", classical, { audio_events_config: {} }, undefined, "auto"],
		["topics in British English", classical, { topic_detection_config: {} }, undefined, "en-GB"],
	])("the refusal of %s names its field, if there is one", (_, engines, config, field, language = "en") => {
		expect(refusals(engines, config, language)[0]?.field).toBe(field);
	});

	test("each event type is an extra of its own, so that available types are still found", () => {
		expect(refusals(classical, { audio_events_config: { types: ["laughter", "music"] } })).toEqual([
			{
				code: "not_offered",
				field: "audio_events_config.types",
				message: "No engine of this deployment detects laughter. Available: music.",
			},
		]);
	});

	test("a refusal because of the language has its own code", () => {
		expect(refusals(classical, { auto_chapters_config: {} }, "de")[0]?.code).toBe("unsupported_language");
		expect(refusals([], { auto_chapters_config: {} }, "de")[0]?.code).toBe("not_offered");
	});
});

describe("Workers AI", () => {
	const french = { language: "en", targetLanguage: "fr" };
	const sentences = [{ text: "Hello.", start: 0, end: 1 }];
	const said = { sentences: [{ id: 0, translation: "Bonjour." }] };

	async function translateWith(model: string | undefined, answer: unknown) {
		const inputs: Record<string, unknown>[] = [];
		const AI = {
			run: async (_: string, input: Record<string, unknown>) => {
				inputs.push(input);
				if (answer instanceof Error) throw answer;
				return answer;
			},
		};
		const [engine] = registry([{ vendor: "workers-ai", ...(model && { model }) }], { AI }).engines;
		return { translations: await engine?.translate?.(sentences, french), inputs };
	}

	test("models of Meta are used in JSON mode, with parsed or plain responses", async () => {
		for (const response of [said, JSON.stringify(said)]) {
			const { translations, inputs } = await translateWith(undefined, { response });
			expect(translations).toEqual(["Bonjour."]);
			expect(inputs[0]).toMatchObject({
				max_tokens: 4096,
				response_format: { type: "json_schema", json_schema: { type: "object" } },
			});
		}
	});

	test("newer models are used with OpenAI's format", async () => {
		const answer = { choices: [{ finish_reason: "stop", message: { content: JSON.stringify(said) } }] };
		const { translations, inputs } = await translateWith("@cf/google/gemma-4-26b-a4b-it", answer);
		expect(translations).toEqual(["Bonjour."]);
		expect(inputs[0]).toMatchObject({
			response_format: { json_schema: { name: "translations", strict: true } },
		});
	});

	test.each([
		["3040: Capacity temporarily exceeded", "engine_rate_limited"],
		["JSON Mode couldn't be met", "engine_bad_response"],
		["3006: Request is too large", "engine_rejected_request"],
	])("the error %s maps to %s", async (text, code) => {
		const error = await translateWith(undefined, new Error(text)).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(EngineError);
		expect(error).toMatchObject({ code, message: expect.stringContaining("language engine") });
	});
});

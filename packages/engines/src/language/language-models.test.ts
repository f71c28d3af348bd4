import { expect, test } from "vitest";
import { listLanguageModels } from "./language-models.ts";

const list = (...engines: object[]) => listLanguageModels(JSON.stringify(engines));
const chat = { vendor: "openai-compatible", base_url: "http://chat.test/v1", model: "acme/chat" };

test("the classical engine is listed with every feature and option that it offers", () => {
	expect(list({ vendor: "classical" })).toEqual([
		{
			code: "parley/classical",
			name: "Classical text and audio analysis",
			service_type: "audio_intelligence",
			provider: { code: "parley", name: "Parley" },
			capabilities: [
				"summarization",
				"summarization.auto",
				"summarization.informative",
				"sentiment_analysis",
				"topic_detection",
				"auto_chapters",
				"audio_events",
				"audio_events.music",
			],
			languages: ["en"],
			pricing: null,
		},
	]);
});

test("a chat model is listed with its languages and targets", () => {
	const [any] = list(chat);
	expect(any).toMatchObject({ code: "acme/chat", provider: { code: "acme" }, languages: ["any"] });
	expect(any?.capabilities).toContain("translation");
	expect(any?.capabilities).not.toContain("audio_events");
	const [some] = list({
		...chat,
		code: "own/name",
		features: ["translation"],
		target_languages: ["de", "fr"],
	});
	expect(some).toMatchObject({
		code: "own/name",
		capabilities: ["translation", "translation.de", "translation.fr"],
	});
});

test("engines with the same code are listed as one model", () => {
	const [model, ...others] = list(
		{ vendor: "classical", features: ["sentiment_analysis"] },
		{ vendor: "classical", features: ["auto_chapters"] },
	);
	expect(others).toEqual([]);
	expect(model?.capabilities).toEqual(["sentiment_analysis", "auto_chapters"]);
});

test("a deployment without language engines lists no models", () => {
	for (const text of [undefined, "", "[]"]) expect(listLanguageModels(text)).toEqual([]);
});

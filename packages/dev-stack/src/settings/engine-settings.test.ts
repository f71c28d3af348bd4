import { expect, test } from "vitest";
import { checkEngineSettings } from "./engine-settings.ts";

const model = { code: "local/whisper", model: "whisper" };
const engine = { vendor: "openai-compatible", base_url: "http://127.0.0.1:9/v1", models: [model] };
const speech = (...engines: object[]) => ({ SPEECH_ENGINES: JSON.stringify(engines) });

test("the models are named, the default first", () => {
	const two = speech({ ...engine, models: [model, { code: "local/large", model: "large" }] });
	expect(checkEngineSettings({ ...two, DEFAULT_MODEL: "local/large" }, { ai: false })).toEqual([
		"local/large",
		"local/whisper",
	]);
	expect(checkEngineSettings({}, { ai: false })).toEqual([]);
});

test("a wrong setting is told with its place", () => {
	const check =
		(settings: Record<string, string>, ai = false) =>
		() =>
			checkEngineSettings(settings, { ai });
	expect(check({ SPEECH_ENGINES: "[{vendor" })).toThrow("SPEECH_ENGINES is not JSON");
	expect(check(speech({ ...engine, models: [{ ...model, fallback: "nope/x" }] }))).toThrow("nope/x");
	expect(check(speech({ ...engine, api_key_secret: "NOPE_KEY" }))).toThrow("NOPE_KEY");
	expect(check({ LANGUAGE_ENGINES: "{}" })).toThrow("LANGUAGE_ENGINES");
	expect(check(speech({ vendor: "workers-ai" }))).toThrow("no AI binding");
	expect(check(speech({ vendor: "workers-ai" }), true)).not.toThrow();
});

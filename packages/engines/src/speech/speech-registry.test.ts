import { describe, expect, test } from "vitest";
import { EngineSettingsError } from "../settings.ts";
import { createSpeechRegistry, type SpeechEnv } from "./speech-registry.ts";

const local = {
	vendor: "openai-compatible",
	base_url: "http://127.0.0.1:8788/v1",
	models: [{ code: "parley/pocketsphinx-en-us", model: "pocketsphinx-en-us", accepts_vocabulary: true }],
};
const openai = {
	vendor: "openai-compatible",
	base_url: "https://api.openai.com/v1",
	api_key_secret: "OPENAI_API_KEY",
	models: [
		{ code: "openai/whisper-1", model: "whisper-1" },
		{ code: "openai/gpt-4o-transcribe", model: "gpt-4o-transcribe" },
	],
};
const AI = { run: async () => ({}) };

const registry = (engines: unknown, extra: Record<string, unknown> = {}) =>
	createSpeechRegistry({ SPEECH_ENGINES: JSON.stringify(engines), ...extra } as SpeechEnv);

describe("createSpeechRegistry", () => {
	test("the registry is empty if nothing is configured", () => {
		for (const SPEECH_ENGINES of [undefined, "", " ", "[]"]) {
			const empty = createSpeechRegistry(SPEECH_ENGINES === undefined ? {} : { SPEECH_ENGINES });
			expect(empty.models()).toEqual([]);
			expect(empty.default()).toBeUndefined();
		}
	});

	test("the registry finds models by code, including slashes and colons, and has a default", () => {
		const own = { ...local, models: [{ code: "acme/whisper:large-v3", model: "large" }] };
		const engines = registry([local, openai, own], {
			OPENAI_API_KEY: "k",
			DEFAULT_MODEL: "openai/whisper-1",
		});
		expect(engines.find("acme/whisper:large-v3")?.code).toBe("acme/whisper:large-v3");
		expect(engines.find("nope")).toBeUndefined();
		expect(engines.default()?.code).toBe("openai/whisper-1");
		expect(registry([local]).default()?.code).toBe("parley/pocketsphinx-en-us");
		expect(engines.models().filter((model) => model.is_default)).toHaveLength(1);
	});

	test("the registry describes known models, and settings take precedence", () => {
		const [pocketsphinx] = registry([local]).models();
		expect(pocketsphinx).toMatchObject({
			name: "PocketSphinx US English",
			provider: { code: "parley" },
			languages: ["en"],
			batch: true,
			streaming: false,
			pricing: { unit: "audio_second", min_price: 0 },
		});
		expect(pocketsphinx?.capabilities).toContain("pronunciations");
		const named = { ...local.models[0], name: "House engine", languages: ["en", "cy"] };
		expect(registry([{ ...local, models: [named] }]).models()[0]).toMatchObject({
			name: "House engine",
			languages: ["en", "cy"],
		});
	});

	test("a known model on another server keeps its capabilities, but not its provider and price", () => {
		const own = { vendor: "openai-compatible", base_url: "http://gpu:8000/v1", models: openai.models };
		expect(registry([own]).models()[0]).toMatchObject({
			provider: { code: "openai", name: "openai" },
			pricing: null,
		});
		const named = { ...own, provider: { code: "acme", name: "Acme" } };
		expect(registry([named]).models()[0]?.provider).toEqual({ code: "acme", name: "Acme" });
	});

	test("an unknown model supports any language and has no price", () => {
		const own = { ...local, models: [{ code: "acme/new", model: "brand-new" }] };
		expect(registry([own]).models()[0]).toMatchObject({ languages: ["any"], pricing: null });
	});

	test("all Workers AI models are listed if the settings name only the vendor", () => {
		const codes = registry([{ vendor: "workers-ai" }], { AI })
			.models()
			.map((model) => model.code);
		expect(codes).toEqual(["@cf/openai/whisper-large-v3-turbo", "@cf/deepgram/nova-3"]);
	});

	test("a request contains the key from the named secret", async () => {
		let authorization: string | null = null;
		const engines = createSpeechRegistry(
			{ SPEECH_ENGINES: JSON.stringify([openai]), OPENAI_API_KEY: "sk-1" } as SpeechEnv,
			{
				fetch: async (request) => {
					authorization = request.headers.get("authorization");
					return Response.json({ text: "" });
				},
			},
		);
		const chunk = { bytes: new Uint8Array(4), filename: "a.wav", contentType: "audio/wav" };
		await engines.default()?.transcribe(chunk, {});
		expect(authorization).toBe("Bearer sk-1");
	});
});

describe("fallbacks", () => {
	const chain = (fallbacks: Record<string, string>) =>
		registry(
			["a", "b", "c"].map((code) => ({
				...local,
				models: [{ code, model: "m", ...(fallbacks[code] && { fallback: fallbacks[code] }) }],
			})),
		);

	test("fallbacks form a chain across servers", () => {
		const engines = chain({ a: "c", c: "b" });
		const codes = (code: string) => engines.fallbacks(code).map((engine) => engine.code);
		expect(codes("a")).toEqual(["c", "b"]);
		expect(codes("c")).toEqual(["b"]);
		expect(codes("b")).toEqual([]);
		expect(codes("unknown")).toEqual([]);
	});

	test.each<[string, Record<string, string>, string]>([
		["an unknown code", { a: "d" }, "names the fallback d of a, but defines no such model"],
		["its own code", { a: "a" }, "circular fallbacks: a, a"],
		["a circle of codes", { a: "b", b: "c", c: "a" }, "circular fallbacks: a, b, c, a"],
	])("a fallback with %s is rejected", (_, fallbacks, message) => {
		expect(() => chain(fallbacks)).toThrow(message);
	});
});

describe("invalid settings", () => {
	test.each<[string, unknown, Record<string, unknown>, string]>([
		["an unknown vendor", [{ vendor: "acme" }], {}, "SPEECH_ENGINES[0].vendor"],
		["an unknown key", [{ ...local, url: "x" }], {}, 'Unrecognized key: "url"'],
		["an empty list of models", [{ ...local, models: [] }], {}, "SPEECH_ENGINES[0].models"],
		["an invalid address", [{ ...local, base_url: "ftp://x" }], {}, "SPEECH_ENGINES[0].base_url"],
		[
			"an invalid code",
			[{ ...local, models: [{ code: "a b", model: "m" }] }],
			{},
			"SPEECH_ENGINES[0].models[0].code",
		],
		["a duplicate code", [local, local], {}, "parley/pocketsphinx-en-us twice"],
		["a missing secret", [openai], {}, "OPENAI_API_KEY, which is not set"],
		["a missing binding", [{ vendor: "workers-ai" }], {}, "no AI binding"],
		[
			"an unknown default",
			[local],
			{ DEFAULT_MODEL: "openai/whisper-1" },
			"configured: parley/pocketsphinx-en-us",
		],
		["an object instead of a list", {}, {}, "expected array"],
	])("%s is rejected, and the message names it", (_, engines, extra, message) => {
		expect(() => registry(engines, extra)).toThrow(EngineSettingsError);
		expect(() => registry(engines, extra)).toThrow(message);
	});

	test("text that is not JSON is rejected", () => {
		expect(() => createSpeechRegistry({ SPEECH_ENGINES: "[{" })).toThrow("SPEECH_ENGINES is not JSON");
	});
});

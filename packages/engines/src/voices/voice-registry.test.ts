import { expect, test } from "vitest";
import { EngineSettingsError } from "../settings.ts";
import { EngineError } from "../transport/engine-error.ts";
import type { EngineFetch } from "../transport/http.ts";
import { createVoiceRegistry, type VoiceEnv } from "./voice-registry.ts";

const openai = {
	vendor: "openai-compatible",
	base_url: "https://voices.test/v1/",
	api_key_secret: "VOICE_KEY",
	models: [{ code: "acme/speaker:1", model: "speaker", voices: ["ann", "bob"], accepts_instructions: true }],
};
const registry = (engines: unknown, extra: object = {}, fetch?: EngineFetch) =>
	createVoiceRegistry(
		{ VOICE_ENGINES: JSON.stringify(engines), VOICE_KEY: "sk-voice", ...extra } as VoiceEnv,
		fetch ? { fetch } : {},
	);
const textOf = (body: ReadableStream<Uint8Array>) =>
	new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).text();

test("there is no voice if nothing is configured", () => {
	for (const VOICE_ENGINES of ["", " ", "[]"])
		expect(createVoiceRegistry({ VOICE_ENGINES }).models()).toEqual([]);
});

test("a model is described by its settings, and the first is the default", () => {
	const second = { ...openai, models: [{ code: "acme/other", model: "other" }] };
	expect(registry([openai, second]).models()).toMatchObject([
		{
			code: "acme/speaker:1",
			provider: { code: "acme" },
			capabilities: ["speed", "instructions"],
			is_default: true,
		},
		{ code: "acme/other", capabilities: ["speed"], languages: ["any"], is_default: false },
	]);
});

test.each([
	["text that is no JSON", () => createVoiceRegistry({ VOICE_ENGINES: "[" })],
	["an unknown vendor", () => registry([{ vendor: "nobody", models: [] }])],
	["a code given twice", () => registry([openai, openai])],
	["a missing secret", () => registry([openai], { VOICE_KEY: undefined })],
	[
		"Workers AI without its binding",
		() => registry([{ vendor: "workers-ai", models: [{ model: "@cf/deepgram/aura-1" }] }]),
	],
])("%s is a settings error", (_name, build) => {
	expect(build).toThrow(EngineSettingsError);
});

test("speech is requested in OpenAI's format and returned as a stream", async () => {
	let seen: Request | undefined;
	const engine = registry([openai], {}, async (request) => {
		seen = request.clone() as Request;
		return new Response("audio bytes");
	}).find("acme/speaker:1");
	const spoken = await engine?.synthesise({
		text: "Hello",
		format: "wav",
		speed: 1.5,
		instructions: "Calmly",
	});
	expect(seen?.url).toBe("https://voices.test/v1/audio/speech");
	expect(seen?.headers.get("authorization")).toBe("Bearer sk-voice");
	expect(await seen?.json()).toEqual({
		model: "speaker",
		input: "Hello",
		voice: "ann",
		response_format: "wav",
		speed: 1.5,
		instructions: "Calmly",
	});
	expect(spoken?.contentType).toBe("audio/wav");
	expect(await textOf(spoken!.body)).toBe("audio bytes");
});

test("a rejection becomes an engine error without the key", async () => {
	const engine = registry([openai], {}, async () =>
		Response.json({ error: { message: "sk-voice is over its quota" } }, { status: 429 }),
	).find("acme/speaker:1");
	const error = await engine?.synthesise({ text: "Hello", format: "mp3" }).catch((thrown: unknown) => thrown);
	expect(error).toBeInstanceOf(EngineError);
	expect(error).toMatchObject({ code: "engine_rate_limited", retryable: true });
	expect((error as EngineError).detail).toContain("[secret] is over its quota");
});

test("responses of Workers AI may be a stream or base64", async () => {
	const calls: unknown[] = [];
	const AI = {
		run: async (model: string, input: unknown) => {
			calls.push(input);
			return model.includes("aura") ? new Blob(["stream"]).stream() : { audio: btoa("encoded") };
		},
	};
	const models = [{ model: "@cf/deepgram/aura-1" }, { model: "@cf/myshell-ai/melotts", code: "melo" }];
	const voices = registry([{ vendor: "workers-ai", models }], { AI });
	const aura = await voices
		.find("@cf/deepgram/aura-1")
		?.synthesise({ text: "Hi", voice: "luna", format: "wav" });
	const melo = await voices.find("melo")?.synthesise({ text: "Hola", voice: "es", format: "mp3" });
	expect(await textOf(aura!.body)).toBe("stream");
	expect(await textOf(melo!.body)).toBe("encoded");
	expect(calls).toEqual([
		{ text: "Hi", speaker: "luna", encoding: "linear16", container: "wav" },
		{ prompt: "Hola", lang: "es" },
	]);
});

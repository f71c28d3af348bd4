import { env } from "cloudflare:workers";
import type { Transcription } from "@parley/contracts/platform/speech";
import { openDatabase } from "@parley/db/client";
import { organisations } from "@parley/db/platform/organisations";
import { usage } from "@parley/db/platform/usage";
import { issueKey } from "@parley/testing/organisation";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { callPlatform, createClient } from "../../test/client.ts";
import { silentWav } from "../../test/silent-wav.ts";

const db = openDatabase(env.DB);
const wav = silentWav(0.1);
const base64 = btoa(String.fromCharCode(...wav));

function form(fields: Record<string, string | Uint8Array>): FormData {
	const data = new FormData();
	for (const [name, value] of Object.entries(fields))
		data.append(name, typeof value === "string" ? value : new File([value], "clip.bin"));
	return data;
}

const { id: organisationId, key, call } = await createClient();
const stt = <T = Transcription>(body: unknown, model = "parley/local") =>
	callPlatform<T>("POST", `/v1/stt/${model}`, body, { key });

test("a recording in a form is heard, typed by its bytes", async () => {
	const { status, body } = await stt(form({ audio: wav, language: "en" }));
	expect(status).toBe(200);
	expect(body).toEqual({
		text: "hello world",
		language: "en",
		duration: 1.25,
		model: "parley/local",
		words: [
			{ word: "hello", start: 0.1, end: 0.5, confidence: 0.9 },
			{ word: "world", start: 0.6, end: 1.1, confidence: 0.8 },
		],
		segments: [{ id: 0, start: 0, end: 1.25, text: "hello world" }],
		warnings: ["audio.wav audio/wav 3244"],
	});
});

test("a recording comes inline or from an address as well", async () => {
	expect(await stt({ audio: base64 })).toMatchObject({ status: 200, body: { text: "hello world" } });
	const fetched = await stt({
		url: "https://files.test/clip.wav",
		additional_vocab: [{ content: "Parley" }],
	});
	expect(fetched).toMatchObject({ status: 200, body: { warnings: ["audio.wav audio/wav 3244"] } });
});

test("an address whose host cannot be checked may be asked for again", async () => {
	const { status, body } = await stt<{ error: object }>({ url: "https://lost.files.test/clip.wav" });
	expect(status).toBe(500);
	expect(body.error).toMatchObject({
		...{ code: "INTERNAL_ERROR", retryable: true },
		message: "url: The host name could not be checked: the resolver did not answer",
	});
});

test.each([
	["no body", undefined, "audio"],
	["nothing", {}, "audio"],
	["both kinds of audio", { audio: base64, url: "https://files.test/clip.wav" }, "url"],
	["text that is not base64", { audio: "***" }, "audio"],
	["an unknown property", { audio: base64, speaker: 1 }, "speaker"],
	["a page instead of audio", { url: "https://files.test/page.wav" }, "audio"],
	["an encoded answer, which may decode to anything", { url: "https://files.test/encoded.wav" }, "url"],
	["an address that answers 404", { url: "https://files.test/none" }, "url"],
	["a private address", { url: "http://169.254.169.254/latest" }, "url"],
	["a name that leads to a private address", { url: "https://inner.files.test/clip.wav" }, "url"],
	["a language the engine does not know", { audio: base64, language: "de" }, "language"],
	["a form without a file", form({ language: "en" }), "audio"],
	["a form with text for a file", form({ audio: "text" }), "audio"],
	["a form with an unknown field", form({ audio: wav, colour: "blue" }), "colour"],
	["a form whose vocabulary is no JSON", form({ audio: wav, additional_vocab: "{" }), ""],
])("%s is refused by name", async (_name, body, path) => {
	expect(await stt(body)).toMatchObject({
		status: 422,
		body: { error: { code: "VALIDATION_FAILED", fields: [{ path }] } },
	});
});

test("an unknown model is not found", async () => {
	expect(await stt({ audio: base64 }, "acme/none:1")).toMatchObject({
		status: 404,
		body: { error: { code: "MODEL_NOT_FOUND" } },
	});
	expect(await stt({ audio: base64 }, "acme/voice:1")).toMatchObject({ status: 404 });
});

test("what the engine does wrong is told without its inner words", async () => {
	const busy = await stt<{ error: object }>({ audio: base64, prompt: "status 429" });
	expect(busy).toMatchObject({ status: 502, body: { error: { code: "ENGINE_FAILED", retryable: true } } });
	expect(busy.headers.get("retry-after")).toBe("7");
	expect(JSON.stringify(busy.body)).not.toContain("said by the engine");
	const refused = await stt({ audio: base64, prompt: "status 400" });
	expect(refused).toMatchObject({ status: 422, body: { error: { code: "VALIDATION_FAILED" } } });
});

test("a form the engine cannot take is 415, one that is too large 413", async () => {
	const amr = new TextEncoder().encode(`#!AMR\n${"\x3c".repeat(64)}`);
	expect(await stt(form({ audio: amr }), "acme/whisper:large")).toMatchObject({
		status: 415,
		body: { error: { code: "UNSUPPORTED_MEDIA_TYPE" } },
	});
	const large = form({ audio: new Uint8Array(26 * 1024 * 1024) });
	expect(await stt(large)).toMatchObject({ status: 413, body: { error: { code: "BODY_TOO_LARGE" } } });
});

test("audio is counted for its key and model, and taken from the balance", async () => {
	const client = await createClient({ creditSeconds: 2 });
	const transcribe = () => client.call("POST", "/v1/stt/parley/local", { audio: base64 });
	expect((await transcribe()).status).toBe(200);
	const left = () =>
		db
			.select({ left: organisations.creditSeconds })
			.from(organisations)
			.where(eq(organisations.id, client.id));
	expect(await left()).toEqual([{ left: 0 }]);
	expect(await transcribe()).toMatchObject({
		status: 402,
		body: { error: { code: "INSUFFICIENT_CREDITS" } },
	});
	const [counted] = await db.select().from(usage).where(eq(usage.organisationId, client.id));
	expect(counted).toMatchObject({ modelCode: "parley/local", audioSeconds: 1.25 });
	const [unlimited] = await db.select().from(organisations).where(eq(organisations.id, organisationId));
	expect(unlimited?.creditSeconds).toBeNull();
});

test("it takes the scope speech:use", async () => {
	const { key: other } = await issueKey(env.DB, organisationId, { scopes: ["tools:read"] });
	const refused = await call("POST", "/v1/stt/parley/local", { audio: base64 }, { key: other });
	expect(refused).toMatchObject({
		status: 403,
		body: { error: { message: expect.stringContaining("speech:use") } },
	});
});

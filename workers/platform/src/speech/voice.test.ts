import { env } from "cloudflare:workers";
import { openDatabase } from "@parley/db/client";
import { usage } from "@parley/db/platform/usage";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";

const { id, call } = await createClient();
const speak = (body: object, model = "acme/voice:1") => call<unknown>("POST", `/v1/tts/${model}`, body);

test("a text is spoken in the format asked for, mp3 when none is", async () => {
	const mp3 = await speak({ text: "Hello" });
	expect(mp3).toMatchObject({ status: 200, body: "mp3: Hello" });
	expect(mp3.headers.get("content-type")).toBe("audio/mpeg");
	const wav = await speak({ text: "Hello", response_format: "wav", voice: "bob", speed: 2 });
	expect([wav.headers.get("content-type"), wav.body]).toEqual(["audio/wav", "wav: Hello"]);
});

test("OpenAI's clients are answered alike", async () => {
	const body = { model: "acme/voice:1", input: "Hi", voice: "ann", stream_format: "audio" };
	expect(await call("POST", "/v1/audio/speech", body)).toMatchObject({ status: 200, body: "mp3: Hi" });
	expect(await call("POST", "/v1/audio/speech", { ...body, voice: { id: "bob" } })).toMatchObject({
		status: 200,
	});
	expect(await call("POST", "/v1/audio/speech", { ...body, model: "tts-1" })).toMatchObject({
		status: 404,
		body: { error: { code: "MODEL_NOT_FOUND" } },
	});
});

test.each([
	["a voice the model lacks", { voice: "eve" }, "voice"],
	["instructions it does not take", { instructions: "Calmly" }, "instructions"],
	["a text that is too long", { text: "a".repeat(4097) }, "text"],
	["an unknown format", { response_format: "midi" }, "response_format"],
	["an unknown property", { pitch: 1 }, "pitch"],
])("%s is refused by name", async (_name, extra, path) => {
	expect(await speak({ text: "Hello", ...extra })).toMatchObject({
		status: 422,
		body: { error: { fields: [{ path }] } },
	});
});

test("an engine that fails is 502", async () => {
	expect(await speak({ text: "fail" })).toMatchObject({
		status: 502,
		body: { error: { code: "ENGINE_FAILED" } },
	});
	expect(await speak({ text: "Hello" }, "parley/local")).toMatchObject({ status: 404 });
});

test("spoken characters are counted", async () => {
	const counted = () => openDatabase(env.DB).select().from(usage).where(eq(usage.organisationId, id));
	await expect.poll(counted).toMatchObject([{ modelCode: "acme/voice:1", characters: 14 }]);
});

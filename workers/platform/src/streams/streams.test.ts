import { env } from "cloudflare:workers";
import { fixture } from "@parley/audio-files/recordings.fixture";
import { createKey } from "@parley/auth/api-key";
import type { CreatedKey } from "@parley/contracts/platform/keys";
import type { SpeechStreamEvent } from "@parley/contracts/platform/speech-stream";
import { openDatabase } from "@parley/db/client";
import { usage } from "@parley/db/platform/usage";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient, openSocket } from "../../test/client.ts";

const RATE = 16_000;
/** Swelling tones, as syllables are; or silence. */
const pcm = (seconds: number, isVoice: boolean) =>
	new Uint8Array(
		Int16Array.from({ length: seconds * RATE }, (_, at) =>
			isVoice ? 6000 * Math.sin(at / 5) * Math.sin(at / 850) : 0,
		).buffer,
	);

async function open(path: string, key: string) {
	const { response, socket } = await openSocket(path, key);
	if (!socket) return { response, events: [], finished: Promise.resolve({ code: 0 }), send: () => {} };
	const events: SpeechStreamEvent[] = [];
	socket.addEventListener("message", ({ data }) => {
		events.push(JSON.parse(String(data)));
	});
	const finished = new Promise<{ code: number }>((done) => socket.addEventListener("close", done));
	socket.accept();
	return { response, events, finished, send: (data: string | Uint8Array) => socket.send(data) };
}
const finish = JSON.stringify({ type: "finish" });

test("speech becomes final texts in order, with times from the stream's beginning", async () => {
	const { id, key } = await createClient();
	const { response, events, finished, send } = await open("/v1/stt/parley/local?partials=false", key);
	expect(response.status).toBe(101);
	expect(response.headers.get("x-region")).toBe("us-east");
	const audio = [pcm(1, true), pcm(1, false), pcm(1, true), pcm(0.3, false)];
	for (const piece of audio)
		for (let at = 0; at < piece.length; at += 3201) send(piece.subarray(at, at + 3201));
	send(finish);
	expect((await finished).code).toBe(1000);
	expect(events[0]).toEqual({ type: "ready", model: "parley/local", sample_rate: RATE });
	const finals = events.filter((event) => event.type === "final");
	expect(finals).toHaveLength(2);
	expect(finals[0]).toMatchObject({
		text: "hello world",
		start: 0,
		words: [{ word: "hello", start: 0.1 }, {}],
	});
	const second = finals[1]!;
	expect(second.start).toBeGreaterThan(1.5);
	expect(second.words[0]?.start).toBeCloseTo(second.start + 0.1);
	expect(events.at(-1)).toEqual({ type: "done", duration: 3.3 });
	const [counted] = await openDatabase(env.DB).select().from(usage).where(eq(usage.organisationId, id));
	expect(counted).toMatchObject({ modelCode: "parley/local" });
	expect(counted?.audioSeconds).toBeCloseTo(3.3, 3);
});

test("while someone still speaks there are partial texts", async () => {
	const { key } = await createClient();
	const { events, send } = await open("/v1/stt/parley/local", key);
	send(pcm(2, true));
	await expect.poll(() => events.map(({ type }) => type)).toEqual(["ready", "partial"]);
	expect(events[1]).toMatchObject({ text: "hello world", start: 0 });
	send(finish);
});

test("what comes after the end is neither heard nor charged, and the end is told once", async () => {
	const { id, key } = await createClient();
	const { events, finished, send } = await open("/v1/stt/parley/local?partials=false", key);
	for (const piece of [pcm(1, true), finish, finish, pcm(2, false)]) send(piece);
	expect((await finished).code).toBe(1000);
	expect(events.map(({ type }) => type)).toEqual(["ready", "final", "done"]);
	const [counted] = await openDatabase(env.DB).select().from(usage).where(eq(usage.organisationId, id));
	expect(counted?.audioSeconds).toBeCloseTo(1, 3);
});

test("a stream of silence is done without a text", async () => {
	const { key } = await createClient();
	const { events, finished, send } = await open("/v1/stt/parley/local", key);
	send(pcm(3, false));
	send(finish);
	await finished;
	expect(events.map(({ type }) => type)).toEqual(["ready", "done"]);
});

test.each([
	["without a key", "/v1/stt/parley/local", null, 401],
	["with a key that is none", "/v1/stt/parley/local", createKey("consumer"), 401],
	["to an unknown model", "/v1/stt/acme/none", "own", 404],
	["in a language the engine does not know", "/v1/stt/parley/local?language=de", "own", 422],
	["with an unknown parameter", "/v1/stt/parley/local?speed=2", "own", 422],
])("an upgrade %s is refused before it happens", async (_name, path, given, status) => {
	const { key } = await createClient();
	const { response, socket } = await openSocket(path, given === "own" ? key : given);
	expect(response.status).toBe(status);
	expect(socket).toBeNull();
	expect(await response.json()).toHaveProperty("error.code");
});

test("a plain GET is told how to ask", async () => {
	const { call } = await createClient();
	expect(await call("GET", "/v1/stt/parley/local")).toMatchObject({
		status: 422,
		body: { error: { message: expect.stringContaining("websocket") } },
	});
});

test.each([
	["text that is no command", "hello", 1003, "VALIDATION_FAILED"],
	["a frame that is too large", new Uint8Array(1024 * 1024 + 1), 1009, "BODY_TOO_LARGE"],
])("%s ends the stream", async (_name, frame, code, error) => {
	const { key } = await createClient();
	const { events, finished, send } = await open("/v1/stt/parley/local", key);
	send(frame);
	expect((await finished).code).toBe(code);
	expect(events.at(-1)).toMatchObject({ type: "error", code: error });
});

test.each([
	"speech.wav",
	"speech.flac",
	"cbr.mp3",
	"moov-first.m4a",
	"speech.opus",
	"speech.webm",
	"speech.aac",
])(
	"a file instead of PCM ends the stream at once, and nothing of it is transcribed or charged: %s",
	async (name) => {
		const { id, key } = await createClient();
		const { events, finished, send } = await open("/v1/stt/parley/local", key);
		const file = fixture(name);
		for (let at = 0; at < file.length; at += 3200) send(file.subarray(at, at + 3200));
		send(finish);
		expect((await finished).code).toBe(1003);
		expect(events.map(({ type }) => type)).toEqual(["ready", "error"]);
		expect(events.at(-1)).toMatchObject({
			code: "VALIDATION_FAILED",
			message: expect.stringMatching(
				/^Not PCM but an? .* file: send 16 kHz, 16-bit little-endian, mono samples/,
			),
		});
		expect(await openDatabase(env.DB).select().from(usage).where(eq(usage.organisationId, id))).toEqual([]);
	},
);

test("compressed bytes without their beginning end the stream", async () => {
	const { key } = await createClient();
	const { events, finished, send } = await open("/v1/stt/parley/local", key);
	send(fixture("moov-first.m4a").subarray(5000));
	send(finish);
	expect((await finished).code).toBe(1003);
	expect(events.map(({ type }) => type)).toEqual(["ready", "error"]);
});

test("a stream that ends within a sample is refused, not shortened", async () => {
	const { key } = await createClient();
	const { events, finished, send } = await open("/v1/stt/parley/local?partials=false", key);
	send(pcm(0.2, true).subarray(0, 6399));
	send(finish);
	expect((await finished).code).toBe(1003);
	expect(events.map(({ type }) => type)).toEqual(["ready", "error"]);
});

test("a key that is revoked loses its open stream within ten seconds", { timeout: 10_000 }, async () => {
	const { call } = await createClient();
	const { body } = await call<CreatedKey>("POST", "/v1/keys", { label: "stream", family: "consumer" });
	const { events, finished } = await open("/v1/stt/parley/local", body.key!);
	await call("DELETE", `/v1/keys/${body.id}`);
	expect((await finished).code).toBe(4401);
	expect(events.at(-1)).toMatchObject({ type: "error", code: "AUTH_REQUIRED" });
});

test("an organisation without credit opens no stream", async () => {
	const { key } = await createClient({ creditSeconds: 0 });
	const { response } = await openSocket("/v1/stt/parley/local", key);
	expect(response.status).toBe(402);
});

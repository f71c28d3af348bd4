import { createConfig, lintFromString } from "@redocly/openapi-core";
import OpenAI, { toFile } from "openai";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { speechFixture } from "../batch/batch-client.ts";

const baseUrl = inject("baseUrl");
const { api_key } = inject("keys");
const SAID = "we have received your payment and the order will be sent on monday";

const request = (path: string, init: RequestInit & { key?: string } = {}) =>
	fetch(`${baseUrl}${path}`, {
		...init,
		headers: {
			authorization: `Bearer ${init.key ?? api_key}`,
			"content-type": "application/json",
			...init.headers,
		},
	});

describe("OpenAI's own client, given another address and key", () => {
	const client = new OpenAI({ apiKey: api_key, baseURL: `${baseUrl}/v1` });
	const recording = (name: string) => toFile(speechFixture(name), name);

	test.each(["clip.wav", "clip.mp3", "clip.m4a"])("transcribes %s in every format", async (name) => {
		const file = await recording(name);
		const given = { file, model: "whisper-1" };
		const transcribe = (response_format: "json" | "text" | "srt" | "vtt") =>
			client.audio.transcriptions.create({ ...given, response_format }) as Promise<{ text: string }>;
		expect((await transcribe("json")).text).toBe(SAID);
		expect(String(await transcribe("text")).trim()).toBe(SAID);
		expect(String(await transcribe("srt"))).toMatch(/^1\r?\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\r?\nwe have/);
		expect(String(await transcribe("vtt"))).toMatch(/^WEBVTT\n\n/);
		const verbose = await client.audio.transcriptions.create({
			...given,
			response_format: "verbose_json",
			timestamp_granularities: ["word", "segment"],
		});
		expect(verbose).toMatchObject({ task: "transcribe", language: "english", text: SAID });
		expect(verbose.words?.map(({ word }) => word).join(" ")).toBe(SAID);
		expect(verbose.segments?.map(({ text }) => text.trim()).join(" ")).toBe(SAID);
	});

	test("lists models, and is refused as it expects", async () => {
		const models = await client.models.list();
		expect(models.data.map(({ id }) => id)).toContain("parley/pocketsphinx-en-us");
		const stranger = new OpenAI({ apiKey: "parley_cu_nobody", baseURL: `${baseUrl}/v1`, maxRetries: 0 });
		await expect(stranger.models.list()).rejects.toMatchObject({ status: 401, code: "AUTH_REQUIRED" });
		const file = await recording("clip.wav");
		const missing = client.audio.transcriptions.create({ file, model: "gpt-9" });
		await expect(missing).rejects.toMatchObject({ status: 404, code: "MODEL_NOT_FOUND" });
	});
});

describe("one key on every plane", () => {
	const PATHS = ["/v1/me", "/v1/agents", "/v1/batch/jobs"];
	const statuses = async (key: string) =>
		Promise.all(PATHS.map(async (path) => (await request(path, { key })).status));

	test("a key that is revoked stops working on all of them within ten seconds", {
		timeout: 20_000,
	}, async () => {
		const made = await request("/v1/keys", {
			method: "POST",
			body: JSON.stringify({ label: "short-lived", family: "consumer" }),
		});
		const { id, key } = (await made.json()) as { id: string; key: string };
		expect(await statuses(key)).toEqual([200, 200, 200]);
		expect((await request(`/v1/keys/${id}`, { method: "DELETE" })).status).toBe(204);
		const inUse = async () => (await statuses(key)).filter((status) => status !== 401);
		await expect.poll(inUse, { timeout: 10_000, interval: 250 }).toEqual([]);
	});

	test("a key with an expiry stops working when it comes", { timeout: 20_000 }, async () => {
		const expires_at = new Date(Date.now() + 2_000).toISOString();
		const body = JSON.stringify({ label: "expiring", family: "consumer", expires_at });
		const made = await request("/v1/keys", { method: "POST", body });
		const { key } = (await made.json()) as { key: string };
		expect(await statuses(key)).toEqual([200, 200, 200]);
		const inUse = async () => (await statuses(key)).filter((status) => status !== 401);
		await expect.poll(inUse, { timeout: 10_000, interval: 250 }).toEqual([]);
	});
});

describe("the front door", () => {
	test("tells the region, the request and the limits on the answers of every plane", async () => {
		for (const path of ["/v1/me", "/v1/agents", "/v1/batch/jobs", "/v1/catalog/models", "/nowhere"]) {
			const { headers } = await request(path, { headers: { "x-request-id": "one-id-for-all-planes" } });
			expect(headers.get("x-region"), path).toBe("us-east");
			expect(headers.get("x-request-id"), path).toBe("one-id-for-all-planes");
			expect(headers.get("ratelimit"), path).toMatch(/^"\w+";r=\d+;t=\d+$/);
		}
	});

	test("a recording is heard while it is played, over WebSocket", async () => {
		const pcm = speechFixture("clip.wav").subarray(44);
		const events: { type: string; text?: string }[] = [];
		const address = `${baseUrl.replace("http", "ws")}/v1/stt/parley/pocketsphinx-en-us`;
		const options = { headers: { authorization: `Bearer ${api_key}` } } as unknown as string[];
		const socket = new WebSocket(address, options);
		const closed = new Promise<{ code: number }>((done) => socket.addEventListener("close", done));
		socket.addEventListener("message", ({ data }) => events.push(JSON.parse(String(data))));
		await new Promise((open) => socket.addEventListener("open", open));
		for (let at = 0; at < pcm.length; at += 32_000)
			socket.send(new Uint8Array(pcm.subarray(at, at + 32_000)));
		socket.send(JSON.stringify({ type: "finish" }));
		expect((await closed).code).toBe(1000);
		const finals = events.filter(({ type }) => type === "final").map(({ text }) => text);
		expect(finals.join(" ")).toBe(SAID);
	});
});

describe("the API reference", () => {
	let document: string;
	beforeAll(async () => {
		document = await (await fetch(`${baseUrl}/openapi.json`)).text();
	});

	test("holds every plane", () => {
		const paths = Object.keys((JSON.parse(document) as { paths: object }).paths);
		expect(paths).toEqual(expect.arrayContaining(["/v1/me", "/v1/agents/tools", "/v1/batch/jobs"]));
	});

	test("has no error that a linter of OpenAPI knows, and examples that meet their schemas", async () => {
		const rules = {
			"no-invalid-media-type-examples": "error",
			"no-invalid-parameter-examples": "error",
		} as const;
		const config = await createConfig({ extends: ["recommended"], rules });
		const problems = await lintFromString({ source: document, absoluteRef: "/openapi.json", config });
		const errors = problems.filter(({ severity }) => severity === "error");
		expect(errors.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
	});
});

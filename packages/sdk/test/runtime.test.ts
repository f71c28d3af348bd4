import { describe, expect, test } from "vitest";
import { ParleyError } from "../src/http.ts";
import { createAgentRuntime } from "../src/runtime.ts";
import { AGENT_ID, RESULTS, refusal, SESSION_ID, sendJson, startRuntime, TOOLS } from "./runtime-server.ts";

const BASE = `/v1/agents/${AGENT_ID}`;

describe("a session", () => {
	test("is opened with the key, and used with its own token", async () => {
		const { runtime, received } = await startRuntime();
		const session = await runtime.session({
			caller: { phone_number: "+14155550123" },
			variables: { shop: "Oslo" },
			ttlSeconds: 600,
		});
		expect(session).toMatchObject({ session_id: SESSION_ID, agent_version: 4, greeting: "Miller's Bakery!" });
		await session.tools();
		await session.call("get_forecast", { city: "Oslo" });
		await session.event("call_start");
		await session.end();
		expect(received.map(({ method, url }) => `${method} ${url}`)).toEqual([
			`POST ${BASE}/sessions`,
			`GET ${BASE}/tools?format=json_schema`,
			`POST ${BASE}/tools/get_forecast/call`,
			`POST ${BASE}/events`,
			`DELETE ${BASE}/sessions/${SESSION_ID}`,
		]);
		const token = "Bearer parley_st_token";
		const key = "Bearer parley_ag_key";
		expect(received.map(({ headers }) => headers.authorization)).toEqual([key, token, token, token, key]);
		expect(received[0]?.body).toEqual({
			caller: { phone_number: "+14155550123" },
			variables: { shop: "Oslo" },
			ttl_seconds: 600,
		});
		expect(received[3]?.body).toEqual({ event: "call_start", session_id: SESSION_ID });
	});

	test("ends when the block that uses it does, also if it has ended before", async () => {
		let isEnded = false;
		const { runtime, received } = await startRuntime(({ method }, response) => {
			if (method !== "DELETE" || !isEnded) {
				isEnded ||= method === "DELETE";
				return false;
			}
			return sendJson(response, 404, refusal("RESOURCE_NOT_FOUND", "Session not found"));
		});
		{
			await using session = await runtime.session();
			await session.end();
		}
		expect(received.map(({ method }) => method)).toEqual(["POST", "DELETE", "DELETE"]);
	});
});

describe("the toolset", () => {
	test("comes in the format that is asked for", async () => {
		const { runtime } = await startRuntime();
		expect((await runtime.tools()).tools).toEqual(TOOLS);
		const { tools } = await runtime.tools("anthropic");
		expect(tools[0]).toMatchObject({ name: "get_forecast", input_schema: { type: "object" } });
	});

	test("is asked for with its ETag, and an unchanged one is the one before", async () => {
		const { runtime, received } = await startRuntime();
		const before = await runtime.tools("openai");
		expect(await runtime.tools("openai")).toEqual(before);
		expect(received.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"version-4"']);
	});
});

describe("a call", () => {
	test("returns a failed tool as a result", async () => {
		const { runtime, received } = await startRuntime();
		const result = await runtime.call(
			"book_table",
			{ city: "Oslo" },
			{ toolCallId: "call_1", deadlineMs: 5000 },
		);
		expect(result).toEqual(RESULTS.book_table);
		expect(received[0]?.body).toEqual({
			arguments: { city: "Oslo" },
			tool_call_id: "call_1",
			deadline_ms: 5000,
		});
	});

	test("without a session sends the variables as base64url", async () => {
		const { runtime, received } = await startRuntime(undefined, { name: "Zoë", vip: true });
		await runtime.call("get_forecast", { city: "Oslo" });
		const header = String(received[0]?.headers["x-parley-variables"]);
		expect(header).toMatch(/^[\w-]+$/);
		expect(JSON.parse(Buffer.from(header, "base64url").toString())).toEqual({ name: "Zoë", vip: true });
	});

	test("is repeated under one Idempotency-Key, after the time that Retry-After names", async () => {
		let refusals = 1;
		const { runtime, received } = await startRuntime(
			(_, response) =>
				refusals-- > 0 &&
				sendJson(response, 429, refusal("RATE_LIMITED", "Slow down", true), { "retry-after": "1" }),
		);
		const startedAt = performance.now();
		expect((await runtime.call("get_forecast")).status).toBe("succeeded");
		expect(performance.now() - startedAt).toBeGreaterThan(990);
		await runtime.call("get_forecast");
		const keys = received.map(({ headers }) => headers["idempotency-key"]);
		expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
		expect(keys[1]).toBe(keys[0]);
		expect(keys[2]).not.toBe(keys[0]);
	});

	test("is repeated when the connection breaks", async () => {
		let breaks = 1;
		const { runtime, received } = await startRuntime((_, response) => {
			if (breaks-- <= 0) return false;
			response.socket?.destroy();
			return true;
		});
		expect((await runtime.call("get_forecast")).status).toBe("succeeded");
		expect(received[1]?.headers["idempotency-key"]).toBe(received[0]?.headers["idempotency-key"]);
	});

	test("is not repeated when the wait would last longer than the deadline", async () => {
		const { runtime, received } = await startRuntime((_, response) =>
			sendJson(response, 429, refusal("RATE_LIMITED", "Slow down", true), { "retry-after": "30" }),
		);
		const call = runtime.call("get_forecast", {}, { deadlineMs: 2000 });
		await expect(call).rejects.toMatchObject({ status: 429, code: "RATE_LIMITED", retryable: true });
		expect(received).toHaveLength(1);
	});

	test("ends with the signal's reason, also while it waits to be repeated", async () => {
		const controller = new AbortController();
		const { runtime, received } = await startRuntime((_, response) => {
			setTimeout(() => controller.abort(new Error("The caller hung up")), 50);
			return sendJson(response, 503, refusal("REGION_UNAVAILABLE", "Try again", true), {
				"retry-after": "20",
			});
		});
		const call = runtime.call("get_forecast", {}, { signal: controller.signal });
		await expect(call).rejects.toThrow("The caller hung up");
		expect(received).toHaveLength(1);
	});

	test("throws a refusal with its code, fields and request id", async () => {
		const { runtime } = await startRuntime((_, response) => {
			const { error } = refusal("VALIDATION_FAILED", "`deadline_ms` is too small");
			const body = {
				error: { ...error, fields: [{ path: "deadline_ms", message: "Must be at least 1000" }] },
			};
			return sendJson(response, 422, body, { "x-request-id": "request-1" });
		});
		const error = await runtime.call("get_forecast", {}, { deadlineMs: 1 }).catch((thrown) => thrown);
		expect(error).toBeInstanceOf(ParleyError);
		expect(error).toMatchObject({
			...{ status: 422, code: "VALIDATION_FAILED", retryable: false, requestId: "request-1" },
			fields: [{ path: "deadline_ms", message: "Must be at least 1000" }],
		});
	});

	test("throws what fetch throws when nobody answers", async () => {
		const attempts: string[] = [];
		const runtime = createAgentRuntime({
			...{ baseUrl: "http://127.0.0.1:9", key: "parley_ag_key", agentId: AGENT_ID },
			fetch: (url) => {
				attempts.push(String(url));
				return Promise.reject(new TypeError("fetch failed"));
			},
		});
		await expect(runtime.call("get_forecast", {}, { deadlineMs: 1000 })).rejects.toThrow("fetch failed");
		expect(attempts.length).toBeGreaterThan(1);
	});
});

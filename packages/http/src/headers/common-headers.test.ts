import { VERSION } from "@parley/contracts/shared/version";
import { expect, test } from "vitest";
import { callWorker, createClient } from "../../test/client.ts";

const { call } = await createClient();

test.each([
	["a resource", () => call("GET", "/v1/notes/a"), 200],
	["a created resource", () => call("POST", "/v1/notes", { body: '{"text":"headers"}' }), 201],
	["a refused key", () => callWorker("GET", "/v1/notes/a"), 401],
	["an unknown path", () => callWorker("GET", "/nowhere"), 404],
	["a wrong method", () => callWorker("DELETE", "/v1/board"), 405],
	["an invalid body", () => call("POST", "/v1/notes/echo", { body: "{" }), 422],
	["a fault of ours", () => call("POST", "/v1/notes", { body: '{"text":"broken headers"}' }), 500],
	["the health page", () => callWorker("GET", "/health"), 200],
	["the reference", () => callWorker("GET", "/docs"), 200],
	["the document", () => callWorker("GET", "/openapi.json"), 200],
])("%s carries the request id, the version and nosniff", async (_name, ask, status) => {
	const { status: answered, headers } = await ask();
	expect(answered).toBe(status);
	expect(headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
	expect(headers.get("x-parley-version")).toBe(VERSION);
	expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("the version is that of the release, and health says it too", async () => {
	expect(VERSION).toMatch(/^v\d+\.\d+\.\d+$/);
	const health = await callWorker("GET", "/health");
	expect(await health.json()).toMatchObject({ status: "ok", version: VERSION });
});

import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createScrubber } from "@parley/vault/scrub/scrub";
import { afterAll, expect, inject, test } from "vitest";
import { startEndpoint } from "../../scripts/demo/endpoint.ts";
import { call } from "../batch/batch-client.ts";

const canary = `canary-${randomBytes(24).toString("hex")}`;
const rotated = `canary-${randomBytes(24).toString("hex")}`;
const scrubber = createScrubber([canary, rotated]);
const endpoint = await startEndpoint();
afterAll(() => endpoint.stop());

/** A request of the owner; its answer, headers included, must hold neither value in any form. */
async function api<T = { id: string }>(method: string, path: string, body?: unknown, headers = {}) {
	const answer = await call<T>(method, `/v1/agents${path}`, body, {
		key: inject("keys").api_key,
		headers: { authorization: `Bearer ${inject("keys").api_key}`, ...headers },
	});
	const text = JSON.stringify([answer.body, [...answer.headers]]);
	expect(scrubber.text(text)).toBe(text);
	return answer;
}

test("a secret's value is in no answer, log line or stored byte of the stack", async () => {
	const secret = { name: "CANARY", kind: "secret", value: canary };
	const once = { "idempotency-key": `canary-${Date.now()}` };
	expect((await api("POST", "/secrets", secret, once)).status).toBe(201);
	expect((await api("POST", "/secrets", secret, once)).status).toBe(201);
	const tool = await api("POST", "/tools", {
		name: "canary",
		tool_type: "api_request",
		config: {
			type: "api_request",
			url: `${endpoint.url}/weather`,
			parameters: { type: "object", properties: {} },
			auth: { type: "bearer", secret_name: "CANARY" },
			headers: [{ name: "x-copy", secret_name: "CANARY" }],
		},
	});
	const run = { sample_input: {}, confirm_side_effects: true };
	const path = `/tools/${tool.body.id}`;
	expect((await api("POST", `${path}/run`, run)).body).toMatchObject({ status: "succeeded" });
	expect(endpoint.lastAuthorization()).toBe(`Bearer ${canary}`);
	expect((await api("POST", `${path}/publish`)).status).toBe(200);

	expect((await api("PATCH", "/secrets/CANARY", { value: rotated })).status).toBe(200);
	expect((await api("POST", `${path}/run`, run)).body).toMatchObject({ status: "succeeded" });
	expect(endpoint.lastAuthorization()).toBe(`Bearer ${rotated}`);

	const server = await api("POST", "/mcp-servers", {
		name: "canary",
		url_template: `${endpoint.url}/mcp?token={{$CANARY}}`,
		transport: "streamable_http",
	});
	expect((await api("POST", `/mcp-servers/${server.body.id}/connect`)).status).toBe(200);

	// A value in the wrong place is refused without being repeated.
	expect((await api("POST", "/secrets", { name: canary, kind: canary, value: "" })).status).toBe(422);
	for (const read of [
		"/secrets",
		"/secrets/CANARY",
		"/secrets/CANARY/references",
		path,
		`${path}/runs`,
		"/audit-log",
	]) {
		expect((await api("GET", read)).status).toBe(200);
	}
	expect(filesHolding(inject("state"), [canary, rotated])).toEqual([]);
});

/** Files below a folder in which one of the values stands, as it is, in base64 or in hex. */
function filesHolding(folder: string, values: string[]): string[] {
	const encodings = ["utf8", "base64", "hex"] as const;
	const forms = values.flatMap((value) => encodings.map((encoding) => Buffer.from(value).toString(encoding)));
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((path) => {
			const bytes = readFileSync(path);
			return forms.some((form) => bytes.includes(form));
		});
}

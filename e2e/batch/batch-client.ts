// What the tests say to the batch API, over HTTP, as any client would.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { root } from "@parley/dev-stack/settings/configs";
import { inject } from "vitest";

/** A machine with nothing but Node may lack it. */
export const hasCurl = spawnSync("curl", ["--version"]).status === 0;

export const speechFixture = (name: string): Buffer =>
	readFileSync(join(root, "packages/testing/fixtures/speech", name));

export type Answer<T> = { status: number; headers: Headers; body: T };

/** A request to the stack under test with the demo organisation's batch key; the body is parsed when it is JSON. */
export async function call<T = Record<string, unknown>>(
	method: string,
	path: string,
	body?: unknown,
	options: { baseUrl?: string; key?: string; headers?: Record<string, string> } = {},
): Promise<Answer<T>> {
	const key = options.key ?? inject("keys").batch_key;
	const response = await fetch((options.baseUrl ?? inject("baseUrl")) + path, {
		method,
		headers: { "x-api-key": key, "content-type": "application/json", ...options.headers },
		...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
	});
	const text = await response.text();
	const isJson = response.headers.get("content-type")?.includes("json");
	return {
		status: response.status,
		headers: response.headers,
		body: (isJson ? JSON.parse(text) : text) as T,
	};
}

/** Waits for a job to end. @returns its record */
export async function finished(jobId: string, options: Parameters<typeof call>[3] = {}, withinMs = 120_000) {
	const deadline = Date.now() + withinMs;
	while (Date.now() < deadline) {
		const { body } = await call<Record<string, unknown>>(
			"GET",
			`/v1/batch/jobs/${jobId}?wait=20`,
			undefined,
			options,
		);
		if (["DONE", "FAILED", "CANCELLED"].includes(String(body.status))) return body;
	}
	throw new Error(`job ${jobId} did not end within ${withinMs} ms`);
}

/** PUTs to the storage over a connection of its own: a refusal comes before the body is read, and closes it. */
export function put(
	url: string,
	body: Uint8Array,
	headers: Record<string, string> = {},
): Promise<{ status: number; etag: string }> {
	return new Promise((done, fail) => {
		const length = String(body.byteLength);
		const sent = request(url, {
			method: "PUT",
			agent: false,
			headers: { ...headers, "content-length": length },
		});
		sent.once("response", (response) => {
			response.resume();
			done({ status: response.statusCode ?? 0, etag: response.headers.etag ?? "" });
		});
		sent.once("error", fail);
		sent.end(body);
	});
}

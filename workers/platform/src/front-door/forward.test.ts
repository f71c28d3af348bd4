import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { app } from "../app.ts";

async function refuse(path: string): Promise<unknown> {
	const response = await app.request(path, { headers: { "x-region-override": "mars" } }, env);
	return response.json();
}

test("what the front door refuses of a batch request has the batch API's error body", async () => {
	expect(await refuse("/v1/batch/jobs")).toEqual({ error: expect.stringContaining('Unknown region "mars"') });
	const BATCH = { fetch: () => Promise.reject(new Error("down")) } as unknown as Fetcher;
	const response = await app.request("/v1/batch/jobs", {}, { ...env, BATCH });
	expect(response.status).toBe(500);
	expect(await response.json()).toEqual({ error: "Internal server error" });
});

test("what it refuses of others has the common one", async () => {
	for (const path of ["/v1/agents/tools", "/v1/me"])
		expect(await refuse(path)).toMatchObject({ error: { code: "REGION_UNKNOWN" } });
});

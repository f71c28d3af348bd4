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

test("a forwarded answer carries the headers of every answer", async () => {
	for (const path of ["/v1/agents/tools", "/v1/batch/jobs"]) {
		const { headers } = await app.request(path, {}, env);
		expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
		expect(headers.get("x-parley-version")).toMatch(/^v\d/);
	}
});

test("a preflight for another plane is answered at the front door", async () => {
	const headers = { origin: "https://app.example", "access-control-request-method": "POST" };
	const allowed = { ...env, CORS_ORIGINS: "https://app.example" };
	const response = await app.request("/v1/batch/jobs", { method: "OPTIONS", headers }, allowed);
	expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
		...[204, "https://app.example"],
	]);
});

test("what it refuses of others has the common one", async () => {
	for (const path of ["/v1/agents/tools", "/v1/me"])
		expect(await refuse(path)).toMatchObject({ error: { code: "REGION_UNKNOWN" } });
});

test("OAuth's paths go to the MCP server, also when a browser opens them", async () => {
	const MCP_SERVER = { fetch: ({ url }: Request) => Response.json({ path: new URL(url).pathname }) };
	const bindings = { ...env, MCP_SERVER: MCP_SERVER as unknown as Fetcher };
	for (const path of [
		...["/oauth/authorize", "/oauth/token", "/v1/oauth/grants", "/.well-known/oauth-authorization-server"],
		...["/.well-known/oauth-protected-resource/v1/mcp", "/v1/mcp"],
	]) {
		const response = await app.request(path, { headers: { accept: "text/html" } }, bindings);
		expect([path, await response.json()]).toEqual([path, { path }]);
	}
});

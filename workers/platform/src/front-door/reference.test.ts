import { env } from "cloudflare:workers";
import { VERSION } from "@parley/contracts/shared/version";
import type { OpenApiDocument } from "@parley/http/openapi/document";
import { expect, test } from "vitest";
import { callPlatform } from "../../test/client.ts";
import { app } from "../app.ts";
import { INTRODUCTION } from "./introduction.ts";

const plane = (path: string): Fetcher => {
	const document: OpenApiDocument = {
		...app.describe(),
		paths: { [path]: { get: { operationId: path } } },
		components: { schemas: { Me: { type: "object" } } },
	};
	return { fetch: async () => Response.json(document) } as unknown as Fetcher;
};
const down = { fetch: () => Promise.reject(new Error("down")) } as unknown as Fetcher;

const read = async (bindings: Partial<Env>): Promise<OpenApiDocument> =>
	(await app.request("/openapi.json", {}, { ...env, ...bindings })).json();

test("a plane that does not answer is left out, and comes in once it does", async () => {
	const partial = await read({ AGENTS: plane("/v1/agents"), BATCH: down });
	expect(Object.keys(partial.paths)).toContain("/v1/agents");
	expect(Object.keys(partial.paths)).not.toContain("/v1/batch/jobs");
	const whole = await read({
		AGENTS: plane("/v1/agents"),
		BATCH: plane("/v1/batch/jobs"),
		MCP_SERVER: plane("/v1/mcp"),
	});
	expect(Object.keys(whole.paths)).toEqual(
		expect.arrayContaining(["/v1/me", "/v1/agents", "/v1/mcp", "/v1/batch/jobs"]),
	);
	expect(whole.info.title).toBe("Parley API");
	expect(Object.keys(whole.components?.schemas ?? {})).toEqual(expect.arrayContaining(["Me", "AgentsMe"]));
});

test("the reference page loads nothing from elsewhere, and what it loads is there", async () => {
	const page = await callPlatform<string>("GET", "/docs");
	expect(page.status).toBe(200);
	expect(page.headers.get("content-type")).toContain("text/html");
	expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
	expect(page.body).not.toMatch(/<script>|<style|\son\w+=/);
	const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? "");
	expect(loaded).toContain("/docs/start.js");
	const start = (await callPlatform<string>("GET", "/docs/start.js")).body;
	const imported = [...start.matchAll(/from "\.([^"]+)"/g)].map(([, path]) => `/docs${path}`);
	expect(imported).toEqual(["/docs/scalar/standalone.esm.js"]);
	for (const url of [...loaded.filter((url) => url !== "data:,"), ...imported]) {
		expect(url).toMatch(/^\//);
		const { status, headers } = await callPlatform("GET", url);
		expect([url, status, headers.get("x-content-type-options")]).toEqual([url, 200, "nosniff"]);
	}
});

test("the guides of docs/ are served as pages that load nothing but a style sheet", async () => {
	const index = await callPlatform<string>("GET", "/docs/guides");
	const pages = [...index.body.matchAll(/href="(\/docs\/guides\/[^"#]+)"/g)].map(([, url]) => url ?? "");
	expect(pages).toContain("/docs/guides/how-to/receive-webhooks");
	for (const url of pages) {
		const { status, headers, body } = await callPlatform<string>("GET", url);
		expect([url, status, headers.get("content-type")]).toEqual([url, 200, "text/html; charset=utf-8"]);
		expect(headers.get("content-security-policy")).toContain("default-src 'none'; style-src 'self'");
		expect(body).not.toMatch(/<script|<style|style=|src="http/);
	}
	expect(await callPlatform("GET", "/docs/guides/nothing")).toMatchObject({
		status: 404,
		body: { error: { code: "RESOURCE_NOT_FOUND", message: "Path not found: /docs/guides/nothing" } },
	});
});

test("every link from the API's descriptions to a guide leads to a page", async () => {
	const text = JSON.stringify(app.describe()) + INTRODUCTION;
	const linked = new Set([...text.matchAll(/\]\((\/docs\/guides[^)#"]*)/g)].map(([, url]) => url ?? ""));
	for (const url of linked) expect([url, (await callPlatform("GET", url)).status]).toEqual([url, 200]);
});

test("the address itself says where the reference is", async () => {
	const { status, body } = await callPlatform<Record<string, string>>("GET", "/");
	expect([status, body]).toEqual([
		200,
		{ name: "Parley", version: VERSION, docs: "/docs", openapi: "/openapi.json", health: "/health" },
	]);
});

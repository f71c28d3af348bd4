import { env } from "cloudflare:workers";
import { VERSION } from "@parley/contracts/version";
import type { OpenApiDocument } from "@parley/http/openapi/document";
import { expect, test } from "vitest";
import { callPlatform } from "../../test/client.ts";
import { app } from "../app.ts";

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
	const whole = await read({ AGENTS: plane("/v1/agents"), BATCH: plane("/v1/batch/jobs") });
	expect(Object.keys(whole.paths)).toEqual(
		expect.arrayContaining(["/v1/me", "/v1/agents", "/v1/batch/jobs"]),
	);
	expect(whole.info.title).toBe("Parley API");
	expect(Object.keys(whole.components?.schemas ?? {})).toEqual(expect.arrayContaining(["Me", "AgentsMe"]));
});

test("the reference page loads nothing from elsewhere, and what it loads is there", async () => {
	const page = await callPlatform<string>("GET", "/docs");
	expect(page.status).toBe(200);
	expect(page.headers.get("content-type")).toContain("text/html");
	const loaded = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? "");
	expect(loaded).toEqual(expect.arrayContaining(["/docs/swagger-ui-bundle.js", "/docs/start.js"]));
	for (const url of loaded) {
		expect(url).toMatch(/^\//);
		const { status, headers } = await callPlatform("GET", url);
		expect([url, status, headers.get("x-content-type-options")]).toEqual([url, 200, "nosniff"]);
	}
});

test("the address itself says where the reference is", async () => {
	const { status, body } = await callPlatform<Record<string, string>>("GET", "/");
	expect([status, body]).toEqual([
		200,
		{ name: "Parley", version: VERSION, docs: "/docs", openapi: "/openapi.json", health: "/health" },
	]);
});

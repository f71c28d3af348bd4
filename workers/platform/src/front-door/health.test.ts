import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { callPlatform } from "../../test/client.ts";
import { app } from "../app.ts";

test("the front door is healthy when its bindings and both planes are", async () => {
	expect(await callPlatform("GET", "/health")).toMatchObject({
		status: 200,
		body: {
			status: "ok",
			checks: {
				database: { ok: true },
				media: { ok: true },
				limiter: { ok: true },
				agents: { ok: true },
				batch: { ok: true },
			},
		},
	});
});

test("a plane that is down is named", async () => {
	const BATCH = { fetch: async () => new Response("down", { status: 500 }) } as unknown as Fetcher;
	const response = await app.request("/health", {}, { ...env, BATCH });
	expect(response.status).toBe(503);
	expect(await response.json()).toMatchObject({
		status: "failing",
		checks: { batch: { ok: false }, agents: { ok: true } },
	});
});

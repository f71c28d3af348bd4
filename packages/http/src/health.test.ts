import { VERSION } from "@parley/contracts/shared/version";
import { expect, test } from "vitest";
import { callWorker } from "../test/client.ts";
import { checkHealth } from "./health.ts";
import { agentsPlane } from "./planes/planes.ts";

test("a healthy worker has used every binding", async () => {
	const response = await callWorker("GET", "/health");
	expect(response.status).toBe(200);
	expect(await response.json()).toMatchObject({
		status: "ok",
		checks: { database: { ok: true }, limiter: { ok: true } },
	});
});

test("a binding that fails is named, and its reason stays inside", async () => {
	const LIMITER = {
		getByName: () => ({ lease: () => Promise.reject(new Error("secret reason")) }),
	} as never;
	const response = await callWorker("GET", "/health", { settings: { LIMITER } });
	expect(response.status).toBe(503);
	const text = await response.text();
	expect(JSON.parse(text)).toMatchObject({
		status: "failing",
		checks: { database: { ok: true }, limiter: { ok: false } },
	});
	expect(text).not.toContain("secret reason");
});

test("nothing to try is healthy", async () => {
	expect(await checkHealth(agentsPlane, {}, "id")).toEqual({ status: "ok", version: VERSION, checks: {} });
});

import { expect, test } from "vitest";
import { callWorker, createClient } from "../../test/client.ts";

const ORIGIN = "https://console.example";
const settings = { CORS_ORIGINS: `${ORIGIN}, https://other.example` };
const preflight = (origin: string, given: object = settings) =>
	callWorker("OPTIONS", "/v1/notes", {
		headers: {
			origin,
			"access-control-request-method": "POST",
			"access-control-request-headers": "authorization, content-type",
		},
		settings: given,
	});

test("a preflight from an allowed origin is answered without a key", async () => {
	const { status, headers } = await preflight(ORIGIN);
	expect(status).toBe(204);
	expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
	expect(headers.get("access-control-allow-methods")).toContain("POST");
	const allowed = headers.get("access-control-allow-headers")?.toLowerCase();
	for (const name of ["authorization", "content-type", "idempotency-key", "if-match", "x-api-key"])
		expect(allowed).toContain(name);
	expect(Number(headers.get("access-control-max-age"))).toBeGreaterThan(0);
	expect(headers.get("access-control-allow-credentials")).toBeNull();
	expect(headers.get("vary")).toContain("Origin");
});

test("answers and errors to an allowed origin can be read by its scripts", async () => {
	const { key } = await createClient();
	for (const authorization of [`Bearer ${key}`, "Bearer nobody"]) {
		const { headers } = await callWorker("GET", "/v1/notes/a", {
			headers: { origin: ORIGIN, authorization },
			settings,
		});
		expect(headers.get("access-control-allow-origin")).toBe(ORIGIN);
		expect(headers.get("access-control-expose-headers")).toContain("X-Request-Id");
		expect(headers.get("access-control-allow-credentials")).toBeNull();
		expect(headers.get("vary")).toContain("Origin");
	}
});

test("no other origin is allowed, and none by default", async () => {
	for (const [origin, given] of [
		["https://evil.example", settings],
		["https://console.example.evil.example", settings],
		["null", settings],
		[ORIGIN, { CORS_ORIGINS: "" }],
		[ORIGIN, {}],
	] as const) {
		const { headers } = await preflight(origin, given);
		expect(headers.get("access-control-allow-origin")).toBeNull();
	}
	const { headers } = await callWorker("GET", "/v1/board", { settings });
	expect([headers.get("access-control-allow-origin"), headers.get("vary")]).toEqual([null, "Origin"]);
});

test("a star allows every origin", async () => {
	const { headers } = await preflight("https://any.example", { CORS_ORIGINS: "*" });
	expect(headers.get("access-control-allow-origin")).toBe("*");
});

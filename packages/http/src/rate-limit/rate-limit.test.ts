import { createKey } from "@parley/auth/api-key";
import { KeyCache } from "@parley/auth/key-cache";
import { newId } from "@parley/db/id";
import { issueKey } from "@parley/testing/organisation";
import { expect, test } from "vitest";
import { callWorker, createClient, testEnv } from "../../test/client.ts";
import { addressOf } from "./address-limit.ts";
import { drawForKey } from "./key-limit.ts";
import type { Bucket } from "./lease.ts";

const echo = { body: '{"text":"a"}' };
const standing = (response: Response) => {
	const policy = response.headers.get("ratelimit-policy");
	const [, name, remaining, seconds] =
		/^"(\w+)";r=(\d+);t=(\d+)$/.exec(response.headers.get("ratelimit") ?? "") ?? [];
	return { policy, name, remaining: Number(remaining), seconds: Number(seconds) };
};

test("each class of request has its own budget, told on every answer", async () => {
	const { call } = await createClient();
	const read = standing(await call("GET", "/v1/notes/a"));
	expect(read).toMatchObject({ policy: '"read";q=600;w=60', name: "read", remaining: 599 });
	expect(read.seconds).toBeGreaterThan(0);
	expect(read.seconds).toBeLessThanOrEqual(60);
	expect(standing(await call("POST", "/v1/notes/echo", echo))).toMatchObject({
		policy: '"write";q=120;w=60',
		remaining: 119,
	});
	expect(standing(await call("POST", "/v1/notes/a/run"))).toMatchObject({
		policy: '"run";q=30;w=60',
		remaining: 29,
	});
	expect(standing(await call("POST", "/v1/notes/echo", { body: "{" }))).toMatchObject({ remaining: 118 });
	expect(standing(await call("GET", "/v1/notes/a"))).toMatchObject({ remaining: 598 });
});

test("the request over the limit is refused, until the window ends", async () => {
	const { call } = await createClient();
	for (let sent = 1; sent <= 30; sent++) {
		const response = await call("POST", "/v1/notes/a/run");
		expect(response.status).toBe(200);
		expect(standing(response).remaining).toBe(30 - sent);
	}
	const refused = await call("POST", "/v1/notes/a/run");
	expect(refused.status).toBe(429);
	expect(await refused.json()).toMatchObject({ error: { code: "RATE_LIMITED", retryable: true } });
	const { remaining, seconds } = standing(refused);
	expect(remaining).toBe(0);
	expect(refused.headers.get("retry-after")).toBe(String(seconds));
	expect((await call("GET", "/v1/notes/a")).status).toBe(200);
});

test("two keys of one organisation have a budget each", async () => {
	const { id, call } = await createClient();
	const { key } = await issueKey(testEnv.DB, id, { scopes: ["tools:run"] });
	await call("POST", "/v1/notes/a/run");
	const headers = { authorization: `Bearer ${key}` };
	expect(standing(await callWorker("POST", "/v1/notes/a/run", { headers })).remaining).toBe(29);
});

test("many isolates at once admit no more than the limit, and lose little of it", async () => {
	const keyId = newId();
	const account = testEnv.LIMITER.getByName(keyId);
	const isolates = Array.from({ length: 5 }, () => new KeyCache<Bucket>(10, 60_000));
	const draws = await Promise.all(
		Array.from({ length: 400 }, (_, index) => {
			const buckets = isolates[index % isolates.length] as KeyCache<Bucket>;
			const ctx = {
				clock: () => new Date(),
				ask: async (ask: Parameters<typeof account.lease>[0]) => account.lease(ask),
				buckets,
			};
			return drawForKey(ctx, keyId, "write", 120);
		}),
	);
	const admitted = draws.filter((draw) => draw.admitted).length;
	expect(admitted).toBeLessThanOrEqual(120);
	expect(admitted).toBeGreaterThan(100);
});

test("the settings scale the limits and turn them off", async () => {
	const { call } = await createClient();
	const scaled = await call("GET", "/v1/notes/a", { settings: { RATE_LIMIT_SCALE: "0.5" } });
	expect(standing(scaled).policy).toBe('"read";q=300;w=60');
	const own = await call("POST", "/v1/notes/a/run", { settings: { RATE_LIMIT_RUNS: "7" } });
	expect(standing(own)).toMatchObject({ policy: '"run";q=7;w=60', remaining: 6 });
	const off = await call("GET", "/v1/notes/a", { settings: { RATE_LIMIT_SCALE: "0" } });
	expect(off.status).toBe(200);
	expect(off.headers.has("ratelimit")).toBe(false);
});

test("an account that cannot be reached refuses nobody", async () => {
	const { call } = await createClient();
	const LIMITER = {
		getByName: () => ({
			lease: () => Promise.reject(new Error("The object is overloaded")),
		}),
	} as unknown as typeof testEnv.LIMITER;
	const response = await call("GET", "/v1/notes/a", { settings: { LIMITER } });
	expect(response.status).toBe(200);
	expect(response.headers.get("ratelimit-policy")).toBe('"read";q=600;w=60');
});

const from = (ip: string, key?: string) => ({
	headers: { "cf-connecting-ip": ip, ...(key && { authorization: `Bearer ${key}` }) },
	settings: { RATE_LIMIT_ANONYMOUS: "3" },
});

test("what needs no key is limited by address", async () => {
	for (const remaining of [2, 1, 0])
		expect(standing(await callWorker("GET", "/v1/board", from("192.0.2.1")))).toMatchObject({
			name: "anonymous",
			remaining,
		});
	expect((await callWorker("GET", "/v1/board", from("192.0.2.1"))).status).toBe(429);
	expect((await callWorker("GET", "/v1/board", from("192.0.2.2"))).status).toBe(200);
});

test("an address that guesses keys is stopped before storage; a key in use passes", async () => {
	const { key } = await createClient();
	expect((await callWorker("GET", "/v1/notes/a", from("192.0.2.3", key))).status).toBe(200);
	const statuses = [];
	for (let guess = 0; guess < 5; guess++)
		statuses.push((await callWorker("GET", "/v1/notes/a", from("192.0.2.3", createKey("consumer")))).status);
	expect(statuses).toEqual([401, 401, 401, 429, 429]);
	const { key: stranger } = await createClient();
	const reads = { ...from("192.0.2.3", stranger).settings, DB: undefined as unknown as D1Database };
	const blocked = await callWorker("GET", "/v1/notes/a", { ...from("192.0.2.3", stranger), settings: reads });
	expect(blocked.status).toBe(429);
	expect((await callWorker("GET", "/v1/notes/a", from("192.0.2.3", key))).status).toBe(200);
});

test("answers that draw on nothing tell how the address stands", async () => {
	expect(standing(await callWorker("GET", "/nowhere", from("192.0.2.4")))).toMatchObject({
		policy: '"anonymous";q=3;w=60',
		remaining: 3,
	});
});

test("an IPv6 caller is its /64", () => {
	const of = (ip: string) => addressOf(new Headers({ "cf-connecting-ip": ip }));
	expect(of("2001:db8:1:2:aaaa::1")).toBe(of("2001:0DB8:1:2:b:c:d:e"));
	expect(of("2001:db8::1")).toBe("2001:db8:0:0::/64");
	expect(of("2001:db8:0:1::1")).not.toBe(of("2001:db8::1"));
	expect(of("192.0.2.1")).toBe("192.0.2.1");
});

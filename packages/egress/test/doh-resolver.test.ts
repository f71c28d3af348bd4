import { createDohResolver, type DohOptions } from "@parley/egress/doh-resolver";
import { expect, onTestFinished, test } from "vitest";
import { startDohServer, type Zone } from "./doh-server.ts";
import { fails } from "./exchange.ts";
import { startServer } from "./loopback-server.ts";

const unhurried = new AbortController().signal;

async function resolverOf(zone: Zone, { ttl = 60, ...options }: DohOptions & { ttl?: number } = {}) {
	const { endpoint, asked, stop } = await startDohServer(zone, ttl);
	onTestFinished(stop);
	const resolve = createDohResolver(endpoint, options);
	return { asked, resolve: (host: string) => resolve(host, unhurried) };
}

test("addresses of both families are given", async () => {
	const { resolve, asked } = await resolverOf({ "a.example": ["192.0.2.1", "192.0.2.2", "2001:db8::1"] });
	expect(await resolve("a.example")).toEqual(["192.0.2.1", "192.0.2.2", "2001:db8::1"]);
	expect(asked.sort()).toEqual(["A a.example", "AAAA a.example"]);
});

test("an IPv4 address within an IPv6 one stays what it is", async () => {
	const { resolve } = await resolverOf({ "a.example": ["::ffff:169.254.169.254"] });
	expect(await resolve("a.example")).toEqual(["::ffff:a9fe:a9fe"]);
});

test("a chain of aliases gives the addresses at its end", async () => {
	const zone = {
		"a.example": ["alias b.example"],
		"b.example": ["alias c.example"],
		"c.example": ["10.0.0.1"],
	};
	expect(await (await resolverOf(zone)).resolve("a.example")).toEqual(["10.0.0.1"]);
});

test("a name has the same addresses with a final dot, and with labels of the greatest length", async () => {
	const long = `${"a".repeat(63)}.${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(61)}`;
	const { resolve } = await resolverOf({ [long]: ["192.0.2.1"] });
	expect(await resolve(long)).toEqual(["192.0.2.1"]);
	expect(await resolve(`${long}.`)).toEqual(["192.0.2.1"]);
});

test("a name that does not exist, or whose alias leads nowhere, has no addresses", async () => {
	const { resolve } = await resolverOf({ "lost.example": ["alias nobody.example"] });
	expect(await resolve("nobody.example")).toEqual([]);
	expect(await resolve("lost.example")).toEqual([]);
});

test.each([
	"status 500",
	"status 302",
	"rcode 2",
	"rcode 5",
	"page",
	"garbage 0",
	"garbage 3",
	"garbage 100",
	"garbage 70000",
	"truncated",
	"silence",
])("a resolver whose answer is %s has failed, and may be asked again", async (said) => {
	const { resolve } = await resolverOf({ "a.example": [said, "192.0.2.1"] }, { patienceMs: 100 });
	await expect(resolve("a.example")).rejects.toThrow(
		expect.objectContaining({
			...{ name: "EgressError", code: "resolver_failed", retryable: true },
			message: "The host name could not be checked: the resolver did not answer",
		}),
	);
});

test.each([1, 4, 10, 15, 16, 17, 26])("an answer that lacks its last %i bytes is none", async (missing) => {
	const { resolve } = await resolverOf({ "a.example": [`cut ${missing}`, "192.0.2.1", "2001:db8::1"] });
	await fails(resolve("a.example"), "resolver_failed");
});

test("a resolver that nobody runs has failed", async () => {
	const closed = await startServer(() => undefined, { isClosed: true });
	await fails(createDohResolver(closed)("a.example", unhurried), "resolver_failed");
});

test.each([
	"cloudflare-dns.com",
	"http://dns.example/dns-query",
	"http://10.0.0.1/",
	"ftp://127.0.0.1/",
	" ",
])("a resolver at %s is none that may be asked", async (endpoint) => {
	const fetch = () => {
		throw new Error("it was asked");
	};
	await expect(createDohResolver(endpoint, { fetch })("a.example", unhurried)).rejects.toThrow(
		"The host name could not be checked: the resolver's address is no https URL",
	);
});

test("nobody waits longer than the caller does", async () => {
	const { endpoint, stop } = await startDohServer({ "a.example": ["silence"] });
	onTestFinished(stop);
	const startedAt = Date.now();
	await fails(createDohResolver(endpoint)("a.example", AbortSignal.timeout(50)), "resolver_failed");
	expect(Date.now() - startedAt).toBeLessThan(3_000);
});

test.each([
	["for half a minute, if its records live longer", 3_600, 29_999, 30_001],
	["for as long as its records live, if that is shorter", 5, 4_999, 5_001],
	["not at all, if its records do not live", 0, undefined, 1],
])("what is known of a name is kept %s", async (_name, ttl, stillMs, nextMs) => {
	let at = 0;
	const { resolve, asked } = await resolverOf({ "a.example": ["192.0.2.1"] }, { ttl, now: () => at });
	await resolve("a.example");
	if (stillMs !== undefined) {
		at = stillMs;
		await resolve("a.example");
	}
	expect(asked).toHaveLength(2);
	at = nextMs;
	expect(await resolve("a.example")).toEqual(["192.0.2.1"]);
	expect(asked).toHaveLength(4);
});

test("neither a failure nor the lack of addresses is kept", async () => {
	const zone: Zone = { "failing.example": ["rcode 2"] };
	const { resolve } = await resolverOf(zone);
	await fails(resolve("failing.example"), "resolver_failed");
	expect(await resolve("new.example")).toEqual([]);
	zone["failing.example"] = ["192.0.2.1"];
	zone["new.example"] = ["192.0.2.2"];
	expect(await resolve("failing.example")).toEqual(["192.0.2.1"]);
	expect(await resolve("new.example")).toEqual(["192.0.2.2"]);
});

test("the cache keeps the latest 500 names", async () => {
	const names = Array.from({ length: 501 }, (_, index) => `n${index}.example`);
	const zone = Object.fromEntries(names.map((name) => [name, ["192.0.2.1"]]));
	const { resolve, asked } = await resolverOf(zone);
	for (const name of names) await resolve(name);
	asked.length = 0;
	await resolve("n500.example");
	await resolve("n1.example");
	expect(asked).toEqual([]);
	await resolve("n0.example");
	expect(asked).toHaveLength(2);
});

import { brotliCompressSync, gzipSync } from "node:zlib";
import { EgressError, type EgressErrorCode } from "@parley/egress/egress-error";
import { type EgressEvent, type EgressPolicy, guardedFetch } from "@parley/egress/guarded-fetch";
import { describe, expect, test } from "vitest";
import { fails, policy, textOf } from "./exchange.ts";
import { startServer } from "./loopback-server.ts";

describe("a plain exchange", () => {
	test("sends method, headers and body, and gives status, headers and body", async () => {
		const origin = await startServer(async (request, response) => {
			response.writeHead(418, { "x-answer": "42" });
			response.end(`${request.method} ${request.headers["x-ask"]} ${await textOf(request)}`);
		});
		const response = await guardedFetch(
			{ url: `${origin}/a`, method: "post", headers: { "x-ask": "why" }, body: "hello" },
			policy(),
		);
		expect(response.status).toBe(418);
		expect(response.headers.get("x-answer")).toBe("42");
		expect(await response.text()).toBe("POST why hello");
	});

	test("a stream is sent as it comes", async () => {
		const origin = await startServer(async (request, response) => response.end(await textOf(request)));
		const body = new Blob(["one ", "two"]).stream();
		const response = await guardedFetch({ url: origin, method: "PUT", body }, policy());
		expect(await response.text()).toBe("one two");
	});

	test("an answer without a body has none", async () => {
		const origin = await startServer((_request, response) => response.writeHead(204).end());
		expect((await guardedFetch({ url: origin }, policy())).body).toBeNull();
	});

	test("HEAD tells the length of a body larger than the cap", async () => {
		const origin = await startServer((_request, response) =>
			response.writeHead(200, { "content-length": "5000000" }).end(),
		);
		const response = await guardedFetch({ url: origin, method: "HEAD" }, policy());
		expect(response.headers.get("content-length")).toBe("5000000");
	});

	test("a decoded body has lost the headers of its encoding", async () => {
		const origin = await startServer((_request, response) =>
			response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("unpacked")),
		);
		const response = await guardedFetch({ url: origin }, policy());
		expect(response.headers.has("content-encoding")).toBe(false);
		expect(response.headers.has("content-length")).toBe(false);
		expect(await response.text()).toBe("unpacked");
	});

	test.each([
		["gzip", gzipSync("unpacked")],
		["br", brotliCompressSync("unpacked")],
		["x-unknown", "unpacked"],
	])("a request that asks for identity refuses a body encoded with %s", async (encoding, body) => {
		const origin = await startServer((_request, response) =>
			response.writeHead(200, { "content-encoding": encoding }).end(body),
		);
		const headers = { "accept-encoding": "identity" };
		await fails(guardedFetch({ url: origin, headers }, policy()), "encoded_body");
	});

	test("a request that asks for identity gets a refusal's status, and a body said to be identity", async () => {
		const origin = await startServer((request, response) =>
			request.url === "/gone"
				? response.writeHead(404, { "content-encoding": "gzip" }).end(gzipSync("gone"))
				: response.writeHead(200, { "content-encoding": "Identity" }).end("plain"),
		);
		const headers = { "accept-encoding": "identity" };
		const gone = await guardedFetch({ url: `${origin}/gone`, headers }, policy());
		expect(gone.status).toBe(404);
		await gone.body?.cancel();
		expect(await (await guardedFetch({ url: origin, headers }, policy())).text()).toBe("plain");
	});

	test("events tell each hop without the query, with the names of its headers", async () => {
		const origin = await startServer((request, response) =>
			request.url?.startsWith("/from")
				? response.writeHead(302, { location: "/to?token=abc" }).end()
				: response.end(),
		);
		const events: EgressEvent[] = [];
		await guardedFetch(
			{ url: `${origin}/from?key=abc`, headers: { "X-Key": "abc" } },
			policy({ onEvent: (event) => events.push(event) }),
		);
		expect(events).toEqual([
			{ type: "request", hop: 0, method: "GET", url: `${origin}/from`, headerNames: ["x-key"] },
			{ type: "response", hop: 0, status: 302, url: `${origin}/from` },
			{ type: "request", hop: 1, method: "GET", url: `${origin}/to`, headerNames: ["x-key"] },
			{ type: "response", hop: 1, status: 200, url: `${origin}/to` },
		]);
	});

	test("the global fetch is called as a function of the global object", async () => {
		const origin = await startServer((_request, response) => response.end("ok"));
		const { fetch: real } = globalThis;
		let self: unknown;
		globalThis.fetch = function (this: unknown, ...args) {
			self = this;
			return real(...args);
		};
		try {
			await (await guardedFetch({ url: origin }, policy())).text();
		} finally {
			globalThis.fetch = real;
		}
		expect(self).toBe(globalThis);
	});
});

describe("requests that are never sent", () => {
	const unsendable = policy({
		fetch: () => {
			throw new Error("a request left");
		},
	});

	test.each<[name: string, code: EgressErrorCode, input: Parameters<typeof guardedFetch>[0]]>([
		["a private address", "blocked_address", { url: "https://10.0.0.1/" }],
		["a URL with a password", "invalid_url", { url: "https://a:b@example.com/" }],
		["a body with GET", "invalid_request", { url: "https://example.com/", body: "x" }],
		["the method CONNECT", "invalid_request", { url: "https://example.com/", method: "connect" }],
		["a method of two words", "invalid_request", { url: "https://example.com/", method: "GET /" }],
		["a line feed in a header", "invalid_request", { url: "https://example.com/", headers: { a: "b\nc" } }],
		["a space in a header name", "invalid_request", { url: "https://example.com/", headers: { "a b": "c" } }],
	])("%s", async (_name, code, input) => {
		await fails(guardedFetch(input, unsendable), code);
	});

	test.each([
		"Connection",
		"Content-Length",
		"Host",
		"Keep-Alive",
		"Proxy-Authorization",
		"TE",
		"Trailer",
		"Transfer-Encoding",
		"Upgrade",
	])("the header %s", async (name) => {
		await fails(
			guardedFetch({ url: "https://example.com/", headers: { [name]: "x" } }, unsendable),
			"invalid_request",
		);
	});

	test("a header that names another URL to the local simulator, on loopback", async () => {
		const headers = { "MF-Original-URL": "http://localhost/cdn-cgi/local/explorer" };
		const refused = guardedFetch({ url: "http://127.0.0.1:9999/", headers }, unsendable);
		await fails(refused, "invalid_request");
		const redirects = async () =>
			new Response(null, { status: 307, headers: { location: "https://localhost/" } });
		const redirected = guardedFetch({ url: "https://example.com/", headers }, policy({ fetch: redirects }));
		await fails(redirected, "invalid_request");
	});

	test("the refusal of a header does not repeat its value", async () => {
		const refused = guardedFetch({ url: "https://example.com/", headers: { a: "sesame\r\n" } }, policy());
		await expect(refused).rejects.toThrow(
			expect.objectContaining({ message: expect.not.stringContaining("sesame") }),
		);
	});
});

describe("hosts that cannot be reached", () => {
	test("a closed port is connect_failed", async () => {
		const closed = await startServer(() => undefined, { isClosed: true });
		await fails(guardedFetch({ url: closed }, policy()), "connect_failed");
	});

	test("a name that is nobody's is dns_failed", async () => {
		await fails(guardedFetch({ url: "https://nobody.invalid/" }, policy()), "dns_failed");
	});

	test("a server without TLS is tls_failed", async () => {
		const origin = await startServer((_request, response) => response.end());
		await fails(guardedFetch({ url: origin.replace("http:", "https:") }, policy()), "tls_failed");
	});

	test("a connection that breaks is network, and may be tried again", async () => {
		const origin = await startServer((request) => request.destroy());
		const error = await guardedFetch({ url: origin }, policy()).catch((thrown) => thrown);
		expect(error).toBeInstanceOf(EgressError);
		expect(error).toMatchObject({ code: "network", retryable: true });
	});

	test.each([
		[521, "connect_failed"],
		[522, "timeout"],
		[526, "tls_failed"],
		[530, "dns_failed"],
	] as const)("the edge's status %i is %s", async (status, code) => {
		const origin = await startServer((_request, response) =>
			response.writeHead(status).end("error code: 1016"),
		);
		await fails(guardedFetch({ url: origin }, policy()), code);
	});
});

describe("a resolver", () => {
	const resolving = (...addresses: string[]): EgressPolicy =>
		policy({ allowLoopback: false, fetch: async () => new Response("ok"), resolve: async () => addresses });

	test("lets a name with public addresses through", async () => {
		const response = await guardedFetch({ url: "https://example.com/" }, resolving("93.184.216.34"));
		expect(await response.text()).toBe("ok");
	});

	test("stops a name one of whose addresses is private", async () => {
		const names = resolving("93.184.216.34", "10.0.0.7");
		await fails(guardedFetch({ url: "https://rebound.example/" }, names), "blocked_address");
	});

	test("stops a name without addresses", async () => {
		await fails(guardedFetch({ url: "https://nobody.example/" }, resolving()), "dns_failed");
	});

	test("a failed lookup is resolver_failed, and nothing is sent", async () => {
		const broken = { ...resolving(), resolve: () => Promise.reject(new Error("no answer")) };
		await fails(guardedFetch({ url: "https://example.com/" }, broken), "resolver_failed");
	});

	test("is not asked about addresses", async () => {
		const unasked = { ...resolving(), resolve: () => Promise.reject(new Error("asked")) };
		expect((await guardedFetch({ url: "https://8.8.8.8/" }, unasked)).status).toBe(200);
		expect((await guardedFetch({ url: "https://[2606:4700::1]/" }, unasked)).status).toBe(200);
	});

	test("is not asked about localhost, which is this machine", async () => {
		const unasked = {
			...resolving(),
			allowLoopback: true,
			resolve: () => Promise.reject(new Error("asked")),
		};
		for (const host of ["localhost", "localhost.", "api.localhost"])
			expect((await guardedFetch({ url: `http://${host}:3000/` }, unasked)).status).toBe(200);
		await fails(guardedFetch({ url: "https://localhost.example/" }, unasked), "resolver_failed");
	});
});

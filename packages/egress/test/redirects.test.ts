import type { IncomingMessage } from "node:http";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import { describe, expect, test } from "vitest";
import { fails, policy, textOf } from "./exchange.ts";
import { startServer } from "./loopback-server.ts";

describe("redirects", () => {
	test.each([
		["to a private address", "http://10.0.0.1/", "blocked_address"],
		["to the metadata service", "http://169.254.169.254/latest/", "blocked_address"],
		["to the metadata service in one number", "http://2852039166/", "blocked_address"],
		["to another protocol", "file:///etc/passwd", "invalid_url"],
		["with a password", "http://a:b@127.0.0.1/", "invalid_url"],
		["to nowhere", "http://", "invalid_url"],
		["to http on a public host", "http://example.com/", "invalid_url"],
		["to a port of the stack's own", "http://localhost:8787/", "blocked_address"],
		["to a path of the local simulator", "/cdn-cgi/local/explorer/api/d1/database", "blocked_address"],
		["to such a path in disguise", "/%2e/%43dn-cgi%2flocal/explorer", "blocked_address"],
	] as const)("%s are refused on a later hop, too", async (_name, location, code) => {
		const origin = await startServer((request, response) =>
			response.writeHead(302, { location: request.url === "/2" ? location : "/2" }).end(),
		);
		await fails(guardedFetch({ url: origin }, policy({ ownPorts: new Set([8787]) })), code);
	});

	test("to loopback are refused without the setting", async () => {
		const answers = policy({
			allowLoopback: false,
			fetch: async () => new Response(null, { status: 302, headers: { location: "https://127.0.0.1/" } }),
		});
		await fails(guardedFetch({ url: "https://example.com/" }, answers), "blocked_address");
	});

	test("to plain http are refused without the setting", async () => {
		const answers = policy({
			allowLoopback: false,
			fetch: async () => new Response(null, { status: 302, headers: { location: "http://example.com/" } }),
		});
		await fails(guardedFetch({ url: "https://example.com/" }, answers), "invalid_url");
	});

	test("a redirect loop ends after the allowed number", async () => {
		let hits = 0;
		const origin = await startServer((_request, response) => {
			hits++;
			response.writeHead(301, { location: "/again" }).end();
		});
		await fails(guardedFetch({ url: origin }, policy({ maxRedirects: 3 })), "too_many_redirects");
		expect(hits).toBe(4);
	});

	test("a redirect status without a Location is an ordinary response", async () => {
		const origin = await startServer((_request, response) => response.writeHead(302).end("here"));
		const response = await guardedFetch({ url: origin }, policy());
		expect([response.status, await response.text()]).toEqual([302, "here"]);
	});

	test("to another origin carry no credentials, and none come back with the way back", async () => {
		const seen: IncomingMessage["headers"][] = [];
		let back = "";
		const other = await startServer((request, response) => {
			seen.push(request.headers);
			response.writeHead(307, { location: `${back}/end` }).end();
		});
		back = await startServer((request, response) => {
			seen.push(request.headers);
			if (request.url === "/end") response.end();
			else response.writeHead(307, { location: request.url === "/" ? "/same" : `${other}/` }).end();
		});
		const headers = { authorization: "Bearer s", cookie: "s=1", "x-api-key": "s", "x-plain": "p" };
		await guardedFetch({ url: back, headers, secretHeaders: ["X-Api-Key"] }, policy());
		const shown = seen.map((got) => Object.keys(headers).filter((name) => name in got));
		const all = Object.keys(headers);
		expect(shown).toEqual([all, all, ["x-plain"], ["x-plain"]]);
	});

	test.each([
		[301, "POST", "GET", ""],
		[302, "POST", "GET", ""],
		[303, "POST", "GET", ""],
		[303, "PUT", "GET", ""],
		[302, "PUT", "PUT", "body"],
		[307, "POST", "POST", "body"],
		[308, "PATCH", "PATCH", "body"],
	])("%i after %s is followed with %s", async (status, method, nextMethod, nextBody) => {
		const origin = await startServer(async (request, response) => {
			const body = await textOf(request);
			if (request.url === "/") response.writeHead(status, { location: "/next" }).end();
			else response.end([request.method, body, request.headers["content-type"] ?? "none"].join(" "));
		});
		const headers = { "content-type": "text/x" };
		const response = await guardedFetch({ url: origin, method, headers, body: "body" }, policy());
		expect(await response.text()).toBe(`${nextMethod} ${nextBody} ${nextBody ? "text/x" : "none"}`);
	});

	test("303 after HEAD stays HEAD", async () => {
		const methods: unknown[] = [];
		const origin = await startServer((request, response) => {
			methods.push(request.method);
			response.writeHead(request.url === "/" ? 303 : 200, { location: "/next" }).end();
		});
		await guardedFetch({ url: origin, method: "HEAD" }, policy());
		expect(methods).toEqual(["HEAD", "HEAD"]);
	});

	test("a stream is not sent twice", async () => {
		const origin = await startServer(async (request, response) => {
			await textOf(request);
			response.writeHead(307, { location: "/next" }).end();
		});
		const body = new Blob(["once"]).stream();
		await fails(guardedFetch({ url: origin, method: "POST", body }, policy()), "invalid_request");
	});
});

import { gzipSync } from "node:zlib";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import { readCapped } from "@parley/egress/response-body";
import { describe, expect, test } from "vitest";
import { fails, policy } from "./exchange.ts";
import { startServer } from "./loopback-server.ts";

/** A response that never ends: a chunk as soon as the last one is taken, or every `everyMs`. */
const endless = (chunk: string, everyMs = 0) =>
	new ReadableStream<Uint8Array>({
		async pull(controller) {
			await new Promise((resolve) => setTimeout(resolve, everyMs));
			controller.enqueue(new TextEncoder().encode(chunk));
		},
	});

describe("the size of a response", () => {
	test("a body of exactly the cap passes, one byte more fails", async () => {
		const origin = await startServer((request, response) => {
			response.write("x".repeat(Number(request.url?.slice(1))));
			response.end();
		});
		const capped = policy({ maxResponseBytes: 1_000 });
		expect(await (await guardedFetch({ url: `${origin}/1000` }, capped)).text()).toHaveLength(1_000);
		await fails((await guardedFetch({ url: `${origin}/1001` }, capped)).text(), "body_too_large");
	});

	test("a Content-Length beyond the cap fails before the body", async () => {
		const origin = await startServer((_request, response) => {
			response.writeHead(200, { "content-length": "1001" }).flushHeaders();
		});
		await fails(guardedFetch({ url: origin }, policy({ maxResponseBytes: 1_000 })), "body_too_large");
	});

	test("an endless body is cut off, and its connection closed", async () => {
		let closed: (() => void) | undefined;
		const hasClosed = new Promise<void>((resolve) => {
			closed = resolve;
		});
		const origin = await startServer(async (_request, response) => {
			response.on("close", () => closed?.());
			for await (const chunk of endless("x".repeat(10_000))) {
				if (response.destroyed) return;
				response.write(chunk);
			}
		});
		const response = await guardedFetch({ url: origin }, policy({ maxResponseBytes: 100_000 }));
		await fails(response.arrayBuffer(), "body_too_large");
		await hasClosed;
	});

	test("a gzip bomb is cut off by what it unpacks to", async () => {
		const bomb = gzipSync(Buffer.alloc(50_000_000));
		expect(bomb.byteLength).toBeLessThan(100_000);
		const origin = await startServer((_request, response) =>
			response
				.writeHead(200, { "content-encoding": "gzip", "content-length": String(bomb.byteLength) })
				.end(bomb),
		);
		const response = await guardedFetch({ url: origin }, policy({ maxResponseBytes: 100_000 }));
		await fails(response.arrayBuffer(), "body_too_large");
	});

	test("a body shorter than its Content-Length is an error, not an end", async () => {
		const origin = await startServer((_request, response) => {
			response.writeHead(200, { "content-length": "100" });
			response.write("short");
			setTimeout(() => response.destroy(), 20);
		});
		await fails((await guardedFetch({ url: origin }, policy())).text(), "network");
	});

	test("readCapped reads no more than it may", async () => {
		const origin = await startServer((_request, response) => response.end("12345"));
		const read = async (maxBytes: number) =>
			readCapped(await guardedFetch({ url: origin }, policy()), maxBytes);
		expect(new TextDecoder().decode(await read(5))).toBe("12345");
		await fails(read(4), "body_too_large");
		expect(await readCapped(new Response(null), 0)).toHaveLength(0);
	});

	test("a reader who stops early closes the connection", async () => {
		let closed: (() => void) | undefined;
		const hasClosed = new Promise<void>((resolve) => {
			closed = resolve;
		});
		const origin = await startServer((_request, response) => {
			response.on("close", () => closed?.());
			response.write("start");
		});
		await (await guardedFetch({ url: origin }, policy())).body?.cancel();
		await hasClosed;
	});
});

describe("the deadline", () => {
	test("ends a wait for the first byte", async () => {
		const origin = await startServer(() => undefined);
		await fails(guardedFetch({ url: origin }, policy({ timeoutMs: 50 })), "timeout");
	});

	test("ends a body that drips", async () => {
		const origin = await startServer(async (_request, response) => {
			for await (const chunk of endless("x", 10)) {
				if (response.destroyed) return;
				response.write(chunk);
			}
		});
		await fails((await guardedFetch({ url: origin }, policy({ timeoutMs: 150 }))).text(), "timeout");
	});

	test("ends a chain of slow redirects, since it is one for all hops", async () => {
		const origin = await startServer((_request, response) => {
			setTimeout(() => response.writeHead(302, { location: "/next" }).end(), 40);
		});
		await fails(guardedFetch({ url: origin }, policy({ timeoutMs: 100, maxRedirects: 50 })), "timeout");
	});

	test("ends a fetch that does not listen to signals, and a resolver that does not answer", async () => {
		const never = () => new Promise<never>(() => undefined);
		const deaf = policy({ timeoutMs: 20, fetch: never });
		await fails(guardedFetch({ url: "https://example.com/" }, deaf), "timeout");
		await fails(guardedFetch({ url: "https://example.com/" }, { ...deaf, resolve: never }), "timeout");
	});

	test("leaves the caller's own reason alone", async () => {
		const origin = await startServer((_request, response) => response.write("start"));
		const controller = new AbortController();
		const response = await guardedFetch({ url: origin }, policy({ signal: controller.signal }));
		const reading = response.text();
		controller.abort(new Error("the call was cancelled"));
		await expect(reading).rejects.toThrow("the call was cancelled");
		await expect(guardedFetch({ url: origin }, policy({ signal: controller.signal }))).rejects.toThrow(
			"the call was cancelled",
		);
	});
});

describe("the patience with a silent host", () => {
	const patient = policy({ idleMs: 400 });

	test("ends before an answer", async () => {
		const origin = await startServer(() => undefined);
		await fails(guardedFetch({ url: origin }, patient), "timeout");
	});

	test("ends within a body", async () => {
		const origin = await startServer((_request, response) => response.write("start"));
		await fails((await guardedFetch({ url: origin }, patient)).text(), "timeout");
	});

	test("begins anew with each byte, and does not count what the reader takes", async () => {
		const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
		const origin = await startServer(async (_request, response) => {
			for (const letter of "abcdef") {
				await sleep(100);
				response.write(letter);
			}
			response.end();
		});
		const response = await guardedFetch({ url: origin }, patient);
		await sleep(600);
		expect(await response.text()).toBe("abcdef");
	});

	test("ends a body that drips, where so few bytes are as good as none", async () => {
		const drip = await startServer(async (_request, response) => {
			for await (const chunk of endless("x", 10)) {
				if (response.destroyed) return;
				response.write(chunk);
			}
		});
		const response = await guardedFetch({ url: drip }, { ...patient, idleBytes: 1000 });
		await fails(response.text(), "timeout");
		const flood = await startServer((_request, answer) => void answer.end("x".repeat(100_000)));
		const whole = await guardedFetch({ url: flood }, { ...patient, idleBytes: 1000 });
		expect(await whole.text()).toHaveLength(100_000);
	});
});

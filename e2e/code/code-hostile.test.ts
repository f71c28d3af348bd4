import type { Tool } from "@parley/contracts/agents/tools";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { type Client, clientOf } from "./code-client.ts";

let client: Client;
beforeAll(() => {
	client = clientOf(inject("keys").api_key);
});

describe("a hostile tool", () => {
	const KINDS = `
import itertools, os, time

class Odd: pass

def handler(kind: str):
    print("doing", kind)
    if kind == "loop":
        while True: pass
    if kind == "c-loop": return sum(itertools.count())
    if kind == "sleep": time.sleep(60)
    if kind == "memory": return len([bytearray(1 << 20) for _ in range(4000)])
    if kind == "recursion":
        def deeper(): return deeper() + 1
        return deeper()
    if kind == "exit": os._exit(3)
    if kind == "pointer":
        import ctypes
        return ctypes.string_at(0xfffffff0, 64)
    if kind == "flood":
        for _ in range(20000): print("x" * 100)
        return "flooded"
    if kind == "output": return "x" * 300_000
    if kind == "nan": return float("nan")
    if kind == "bytes": return b"raw"
    if kind == "cycle":
        ring = []
        ring.append(ring)
        return ring
    if kind == "deep":
        nested = []
        for _ in range(900): nested = [nested]
        return nested
    if kind == "surrogate": return "\\ud800"
    if kind == "odd": return Odd()
    return kind
`;
	let tool: Tool;
	beforeAll(async () => {
		tool = await client.built(KINDS);
	});

	test.each([
		["loop", "timed_out", "TIMED_OUT"],
		["c-loop", "timed_out", "TIMED_OUT"],
		["memory", "failed", "MEMORY_EXCEEDED"],
		["recursion", "failed", "EXCEPTION"],
		["exit", "failed", "EXITED"],
		["pointer", "failed", "INTERPRETER_CRASHED"],
		["output", "failed", "OUTPUT_TOO_LARGE"],
		["nan", "failed", "OUTPUT_NOT_JSON"],
		["bytes", "failed", "OUTPUT_NOT_JSON"],
		["cycle", "failed", "OUTPUT_NOT_JSON"],
		["odd", "failed", "OUTPUT_NOT_JSON"],
	])("that does %s ends as %s, and the next run works", async (kind, status, code) => {
		const { body } = await client.run(tool, { kind });
		expect(body).toMatchObject({ status, error: { code }, output_json: null, logs: [`doing ${kind}`] });
		expect((await client.run(tool, { kind: "fine" })).body).toMatchObject({ output_json: "fine" });
	});

	test.each(["deep", "surrogate"])("that returns what no store keeps (%s) fails", async (kind) => {
		expect((await client.run(tool, { kind })).body).toMatchObject({ status: "failed", output_json: null });
	});

	test("that floods its log keeps the beginning of it", async () => {
		const { body } = await client.run(tool, { kind: "flood" });
		expect(body).toMatchObject({ status: "succeeded", output_json: "flooded" });
		expect(body.logs[1]).toBe("x".repeat(100));
		expect(body.logs.length).toBeLessThanOrEqual(1000);
		expect(body.logs.join("\n").length).toBeLessThanOrEqual(64 * 1024);
	});

	test("that raises is shown its own lines", async () => {
		const raising = await client.built("def handler():\n    rate = 0\n    return 1 / rate\n");
		const { error } = (await client.run(raising)).body;
		expect(error.code).toBe("EXCEPTION");
		expect(error.message).toMatch(/^ZeroDivisionError: division by zero\n/);
		expect(error.message).toContain('File "tool.py", line 3, in handler\n    return 1 / rate');
	});

	test("holds up nobody who does not run code", async () => {
		let isOver = false;
		const spinning = client.run(tool, { kind: "loop" }).then(({ body }) => {
			isOver = true;
			return body;
		});
		for (let i = 0; i < 20; i++) expect((await client.call("GET", `/tools/${tool.id}`)).status).toBe(200);
		expect(isOver).toBe(false);
		expect((await spinning).status).toBe("timed_out");
	});

	test("gets a share of the sandbox and no more", async () => {
		const answers = await Promise.all(Array.from({ length: 7 }, () => client.run(tool, { kind: "sleep" })));
		const refused = answers.filter(({ status }) => status === 429);
		expect(refused).toHaveLength(3);
		expect(refused[0]?.body.error.code).toBe("RATE_LIMITED");
		expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
		expect((await client.run(tool, { kind: "fine" })).body.status).toBe("succeeded");
	});

	test("reaches no network, by any way", async () => {
		const source = `
import http.client, socket, subprocess, urllib.request
def attempt(work):
    try:
        return str(work())
    except BaseException as error:
        return "refused: " + type(error).__name__
async def handler(url: str, port: int):
    def by_js():
        import js
        return js.fetch(url)
    def by_pyodide():
        import pyodide.http
        return pyodide.http.open_url(url)
    def by_client():
        connection = http.client.HTTPConnection("127.0.0.1", port)
        connection.request("GET", "/health")
        return connection.getresponse().status
    ways = [lambda: urllib.request.urlopen(url).status, lambda: socket.create_connection(("127.0.0.1", port)), by_client,
            by_js, by_pyodide, lambda: subprocess.run(["curl", url]), lambda: socket.gethostbyname("example.com")]
    return [attempt(way) for way in ways]
`;
		const url = `${inject("baseUrl")}/health`;
		const { body } = await client.run(await client.built(source), { url, port: Number(new URL(url).port) });
		const ways = body.output_json as string[];
		expect(ways.slice(0, 6).filter((way) => !way.startsWith("refused: "))).toEqual([]);
		// A made-up address of the interpreter's own, behind which nothing is.
		expect(ways[6]).toMatch(/^refused: |^172\.29\./);
	});
});

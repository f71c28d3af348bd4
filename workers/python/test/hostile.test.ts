import type { CodeRunResult, RunCode } from "@parley/contracts/internal/python-rpc";
import { afterAll, describe, expect, test } from "vitest";
import { build, describeAll, introspect, output, run } from "./client.ts";

const MEBIBYTE = 1024 * 1024;

/** The tool ran and ended with this status and code. */
async function endsAs(
	[status, code]: [CodeRunResult["status"], string],
	source: string,
	more: Partial<RunCode> = {},
): Promise<CodeRunResult> {
	const result = await run(source, more);
	expect({ status: result.status, code: result.error?.code }).toEqual({ status, code });
	return result;
}

const tracebackOf = (result: CodeRunResult) =>
	result.error && "traceback" in result.error ? result.error.traceback : null;

const LENGTHENING_LINKS = `for n in range(40): os.symlink('l%d' % (n + 1) + '/..' * 1300, '/l%d' % n)
    os.stat('/l0')`;

describe("a tool that never ends is stopped at its limit", () => {
	const stopped = (source: string) => endsAs(["timed_out", "TIMED_OUT"], source, { timeout_ms: 300 });

	test("in a loop of Python, with what it printed and where it was", async () => {
		const result = await stopped("def handler():\n    print('start')\n    while True: pass");
		expect(result).toMatchObject({ logs: ["start"] });
		expect(tracebackOf(result)).toContain('File "tool.py", line 3, in handler');
	});
	test("in a loop that swallows the interrupt", async () => {
		const result = await stopped(
			"def handler():\n    while True:\n        try:\n            while True: pass\n        except BaseException: pass",
		);
		expect(tracebackOf(result)).toMatch(/File "tool\.py", line [45] in handler/);
	});
	test.each([
		["in a sum in C", "import itertools\ndef handler():\n    sum(itertools.count())"],
		[
			"in a deque in C",
			"import itertools, collections\ndef handler():\n    collections.deque(itertools.repeat(1), maxlen=0)",
		],
		["in a sort with a slow key", "def handler():\n    while True: sorted(range(10_000), key=lambda n: -n)"],
		["in regex backtracking", "import re\ndef handler():\n    re.match('(a+)+$', 'a' * 50 + 'b')"],
		["in a huge power", "def handler():\n    return 9 ** 9 ** 9"],
		[
			"in decimal arithmetic in C",
			"import decimal\ndef handler():\n    decimal.getcontext().prec = 10**6\n    decimal.Decimal(2) ** decimal.Decimal('0.5') ** decimal.Decimal('0.3')",
		],
		["while it is imported", "while True: pass\ndef handler(): pass"],
		["asleep", "import time\ndef handler():\n    time.sleep(20)"],
		["awaiting", "import asyncio\nasync def handler():\n    await asyncio.sleep(20)"],
		["in an async busy loop", "import asyncio\nasync def handler():\n    while True: await asyncio.sleep(0)"],
		["awaiting what never comes", "import asyncio\nasync def handler():\n    await asyncio.Future()"],
		["waiting for an event", "import threading\ndef handler():\n    threading.Event().wait()"],
	])("%s", async (_, source) => {
		await stopped(source);
	});
	test.each([
		["a link to a path of a million parts", "os.symlink('./' * 500_000 + 'a/' * 500_000, '/tmp/l')"],
		["a path that climbs above the root a million times", "os.stat('/' + '../' * 1_000_000)"],
		["a folder nested through relative paths", "while True: os.mkdir('d' * 200); os.chdir('d' * 200)"],
		["links that lengthen one another", LENGTHENING_LINKS],
	])("not even the file system holds it up with %s", async (_, body) => {
		const result = await run(`import os\ndef handler():\n    ${body}`, { timeout_ms: 3_000 });
		expect(result).toMatchObject({ status: "failed", error: { code: "EXCEPTION" } });
		expect(result.error?.message).toContain("Filename too long");
	});
	test("while it is built", async () => {
		const result = await introspect("while True: pass\ndef handler(): pass", { timeout_ms: 300 });
		expect(result).toMatchObject({ ok: false, errors: [{ code: "TIMED_OUT", gate: "code_environment" }] });
	});
});

describe("a tool that takes too much gets no more", () => {
	test.each([
		["a list of blocks", "MEMORY_EXCEEDED", "x = []\n    while True: x.append(bytearray(1 << 20))"],
		["one block beyond all addresses", "EXCEPTION", "return len('x' * (1 << 40))"],
		["a dictionary", "MEMORY_EXCEEDED", "x = {}\n    while True: x[len(x)] = str(len(x))"],
		["a string that doubles", "INTERPRETER_CRASHED", "x = 'a'\n    while True: x += x"],
		["one file", "EXCEPTION", "f = open('/tmp/f', 'wb')\n    while True: f.write(bytes(1 << 20))"],
		["a sparse file", "EXCEPTION", "import os; open('/tmp/f', 'w').close(); os.truncate('/tmp/f', 1 << 31)"],
		["recursion", "EXCEPTION", "def g(n): return g(n + 1)\n    return g(0)"],
		[
			"recursion without Python's limit",
			"INTERPRETER_CRASHED",
			"import sys; sys.setrecursionlimit(10**9)\n    def g(n): return g(n + 1)\n    return g(0)",
		],
	])("%s", async (_, code, body) => {
		await endsAs(["failed", code], `def handler():\n    ${body}`);
	});

	test("names, links, host names and JavaScript objects cannot fill the memory that no cap sees", async () => {
		const refused = await output(`
import gc, os, socket, types

BIG = 4_000_000

def to_js():
    import sys
    del sys.modules["_pyodide_core"]
    from _pyodide_core import to_js as found
    return found

ROUTES = {
    "name": lambda n: os.mkdir("/tmp/%d" % n + "x" * BIG),
    "renamed": lambda n: os.rename("/tmp", "/" + "x" * BIG),
    "link": lambda n: os.symlink("x" * BIG, "/tmp/%d" % n),
    "links": lambda n: os.symlink("x" * 4000, "/tmp/l%d" % n),
    "host": lambda n: socket.gethostbyname(b"x" * BIG),
    "list": lambda n: to_js()([1]) * BIG,
    "buffer": lambda n: to_js()(bytearray(BIG)),
}

def handler():
    return {name: until_refused(step) for name, step in ROUTES.items()}

def until_refused(step):
    for n in range(25_000):
        try:
            step(n)
        except Exception as error:
            return [n < 20_000, type(error).__name__]
    return "never"
`);
		expect(refused).toEqual({
			name: [true, "OSError"],
			renamed: [true, "OSError"],
			link: [true, "OSError"],
			links: [true, "OSError"],
			host: [true, "gaierror"],
			list: [true, "ConversionError"],
			buffer: [true, "ConversionError"],
		});
	});
	test("files, bytes of files, pipes and open files are counted", async () => {
		const counted = (await output(`
import os

def until_refused(step):
    n = 0
    try:
        while True:
            step(n)
            n += 1
    except OSError:
        return n

def write(n):
    with open(f"/tmp/b{n}", "wb") as f:
        f.write(bytes(1 << 20))

def touch(n):
    open(f"/tmp/t{n}", "w").close()

def handler():
    megabytes = until_refused(write)
    for n in range(megabytes):
        os.unlink(f"/tmp/b{n}")
    read_end, write_end = os.pipe()
    piped = until_refused(lambda n: os.write(write_end, bytes(1024)))
    return {"megabytes": megabytes, "again": until_refused(write) >= megabytes - 1, "piped": piped, "pipes": until_refused(lambda n: os.pipe()), "files": until_refused(touch)}
`)) as Record<string, number>;
		expect(counted.megabytes).toBeGreaterThan(50);
		expect(counted.megabytes).toBeLessThan(80);
		expect(counted.again).toBe(true);
		expect(counted.piped).toBeLessThanOrEqual(64);
		expect(counted.pipes).toBeLessThan(130);
		expect(counted.files).toBeLessThan(20_000);
	});
});

describe("a tool that breaks its interpreter fails alone", () => {
	test.each([
		["os._exit", "EXITED", "import os; print('bye'); os._exit(3)"],
		["sys.exit", "EXITED", "import sys; sys.exit(3)"],
		["kill", "EXITED", "import os; os.kill(os.getpid(), 9)"],
		["abort", "INTERPRETER_CRASHED", "import os; os.abort()"],
		["a wild read through ctypes", "INTERPRETER_CRASHED", "import ctypes; ctypes.string_at(0xFFFFFFF0, 8)"],
		[
			"a wild write through ctypes",
			"INTERPRETER_CRASHED",
			"import ctypes; ctypes.memset(0, 0xFF, 50_000_000)",
		],
	])("%s", async (_, code, body) => {
		await endsAs(["failed", code], `def handler():\n    ${body}`);
	});

	test.each([
		[
			"rewrites the harness",
			"import _parley.main as m, json\n    json.dumps = lambda *a, **k: 'not json'\n    m.finish = lambda r: 7",
		],
		[
			"answers for the harness",
			'import _parley.main as m\n    m.finish = lambda r: \'{"ok": true, "output": "{"}\'',
		],
		[
			"invents an error code",
			'import _parley.main as m\n    m.finish = lambda r: \'{"ok": false, "error": {"code": "FREE_MONEY", "message": "", "traceback": null}}\'',
		],
	])("%s", async (_, body) => {
		await endsAs(["failed", "SANDBOX_ERROR"], `def handler():\n    ${body}\n    return 1`);
	});
	test("a description forged deeper than any stack is refused", async () => {
		const nested = "'{\"not\":' * 50_000 + '{}' + '}' * 50_000";
		const source = `import _parley.main as m\nm.finish = lambda r: '{"ok": true, "entry": "x", "description": "", "is_async": false, "output_schema": null, "arg_schema": ' + ${nested} + '}'\ndef handler(): pass`;
		expect(await introspect(source)).toMatchObject({ ok: false, errors: [{ code: "SCHEMA_TOO_LARGE" }] });
	});
	test.each([
		[
			"a result forged deeper than any stack",
			'{"ok": true, "output": "\' + "[" * 100_000 + "]" * 100_000 + \'"}',
		],
		[
			"more rejected arguments than there are",
			'{"ok": false, "error": {"code": "INVALID_ARGUMENTS", "message": "", "traceback": null, "fields": [\' + \'{"path": "", "message": ""},\' * 60 + \'{"path": "", "message": ""}]}}',
		],
	])("%s is refused", async (_, answer) => {
		const body = `import _parley.main as m\n    m.finish = lambda r: '${answer}'`;
		await endsAs(["failed", "SANDBOX_ERROR"], `def handler():\n    ${body}\n    return 1`);
	});
	test("an exception that raises when it is shown is one all the same", async () => {
		const source =
			"class Odd(Exception):\n    def __str__(self): raise KeyboardInterrupt\ndef handler(): raise Odd";
		const result = await endsAs(["failed", "EXCEPTION"], source);
		expect(result.error?.message).toBe("Odd: <no message: str() of the exception failed>");
	});
	test("an oversized answer behind the harness's back is refused", async () => {
		const body =
			"import _parley.main as m, json\n    big = json.dumps({'ok': True, 'output': json.dumps('x' * 300_000)})\n    m.finish = lambda r: big";
		await endsAs(["failed", "OUTPUT_TOO_LARGE"], `def handler():\n    ${body}\n    return 1`);
	});
});

describe("a result that is no JSON fails and says where", () => {
	test.each([
		["NaN", "{'x': [1, float('nan')]}", "OUTPUT_NOT_JSON", "result.x[1]: nan"],
		["bytes", "{'x': b'1'}", "OUTPUT_NOT_JSON", "result.x: bytes"],
		["a value that contains itself", "LOOP", "OUTPUT_NOT_JSON", "result.b[0]: the value contains itself"],
		["a lone surrogate", "'\\ud800'", "OUTPUT_NOT_JSON", "not valid Unicode"],
		["a text of 10 MB", "{'x': 'y' * 10_000_000}", "OUTPUT_TOO_LARGE", "262144 bytes"],
	])("%s", async (_, expression, code, where) => {
		const source = `LOOP = {}\nLOOP['b'] = [LOOP]\ndef handler():\n    return ${expression}`;
		const result = await endsAs(["failed", code], source);
		expect(result.error?.message).toContain(where);
	});

	test("and whatever else Python knows", async () => {
		const cases = [
			["float('-inf')", "OUTPUT_NOT_JSON", "result: -inf"],
			["{'k': object()}", "OUTPUT_NOT_JSON", "result.k: object has no JSON form"],
			["(n for n in [1])", "OUTPUT_NOT_JSON", "result: generator"],
			["decimal.Decimal", "OUTPUT_NOT_JSON", "a class has no JSON form"],
			["{(1, 2): 3}", "OUTPUT_NOT_JSON", "key of type tuple"],
			["{float('nan'): 3}", "OUTPUT_NOT_JSON", "nan"],
			["decimal.Decimal('NaN')", "OUTPUT_NOT_JSON", "NaN"],
			["2**64 + 1", "OUTPUT_NOT_JSON", "loses digits"],
			["10**5000", "OUTPUT_NOT_JSON", "loses digits"],
			["functools.reduce(lambda a, _: [a], range(1000), 1)", "OUTPUT_NOT_JSON", "nested deeper than"],
			["list(range(1_000_000))", "OUTPUT_TOO_LARGE", "262144 bytes"],
			["['é' * 131_072]", "OUTPUT_TOO_LARGE", "262144 bytes"],
		] as const;
		const source = `
import decimal, functools
from _parley.output import to_json

def handler(expressions: list):
    return [attempt(eval(expression)) for expression in expressions]

def attempt(value):
    try:
        return to_json(value, 262144)
    except Exception as error:
        return [error.code, str(error)]
`;
		const found = await output(source, {
			arguments: { expressions: cases.map(([expression]) => expression) },
		});
		expect(found).toEqual(cases.map(([, code, message]) => [code, expect.stringContaining(message)]));
	});
});

describe("source that is no tool is refused with its gate", () => {
	test.each([
		["a syntax error", "def handler(:\n  pass", "SYNTAX_ERROR", "parse", "line 1"],
		["a NUL byte", "def handler():\n    return 1\n\0", "SYNTAX_ERROR", "parse", "null bytes"],
		["a lone surrogate", "x = '\ud800'", "SYNTAX_ERROR", "parse", "surrogates not allowed"],
		["no function", "x = 1\ndef _private(): pass", "ENTRY_NOT_FOUND", "parse", "no public function"],
		[
			"two functions",
			"def b(): pass\ndef a(): pass",
			"ENTRY_AMBIGUOUS",
			"parse",
			"2 public functions (a, b)",
		],
		[
			"an exception on import",
			"raise ValueError('early')",
			"EXCEPTION",
			"code_environment",
			"ValueError: early",
		],
		[
			"more than 1 MiB",
			`${"#".repeat(MEBIBYTE)}\ndef handler(): pass`,
			"SOURCE_TOO_LARGE",
			"parse",
			"1048576",
		],
		[
			"1 MiB of statements",
			"x = [1, 2, 3]\n".repeat(70_000),
			"MEMORY_EXCEEDED",
			"code_environment",
			"MemoryError",
		],
	])("%s", async (_, source, code, gate, message) => {
		const result = await introspect(source);
		expect(result).toMatchObject({
			ok: false,
			errors: [{ code, gate, message: expect.stringContaining(message) }],
		});
	});
	test("and its kind of fault", async () => {
		const cases = [
			["", "ENTRY_NOT_FOUND", "no public function"],
			["handler = 5", "ENTRY_NOT_FOUND", "of type int"],
			["class handler: ...", "ENTRY_NOT_FOUND", "of type type"],
			["def handler():\nreturn 1", "SYNTAX_ERROR", "line 2"],
			[`x = ${"(".repeat(50_000)}${")".repeat(50_000)}`, "SYNTAX_ERROR", "too many nested"],
			[
				"import typing\ndef handler(**k: typing.Unpack[tuple]): pass",
				"UNSUPPORTED_ANNOTATION",
				"Unpack is for a TypedDict",
			],
			["import numpy", "EXCEPTION", "No module named 'numpy'"],
			["import sys\nsys.exit()", "EXITED", "sys.exit"],
		] as const;
		const found = await describeAll(cases.map(([source]) => source));
		expect(found).toEqual(
			cases.map(([, code, message]) => ({ code, message: expect.stringContaining(message) })),
		);
	});
	test("1 MiB that is mostly text builds and runs", async () => {
		const source = "def handler():\n    return len(TEXT)\nTEXT = '";
		const text = "x".repeat(MEBIBYTE - source.length - 1);
		expect((await build(`${source}${text}'`)).ok).toBe(true);
		expect(await output(`${source}${text}'`)).toBe(text.length);
	});
	test("a byte order mark is none of it", async () => {
		expect(await output("\ufeffdef handler(): return 1")).toBe(1);
	});
	test("a run says the same", async () => {
		await endsAs(["failed", "SYNTAX_ERROR"], "def handler(:");
		await endsAs(["failed", "ENTRY_AMBIGUOUS"], "def a(): pass\ndef b(): pass");
		await endsAs(["refused", "SOURCE_TOO_LARGE"], "#".repeat(MEBIBYTE + 1));
	});
});

describe("a flood of output is cut", () => {
	test("after 1,000 lines", async () => {
		const result = await run(
			"def handler():\n    for n in range(20_000): print('line', n)\n    return 'done'",
		);
		expect(result).toMatchObject({ status: "succeeded", output: "done", logs_truncated: true });
		expect("logs" in result && result.logs.length).toBe(1000);
	});
	test("after 64 KiB", async () => {
		const result = await run("def handler():\n    print('é' * 1_000_000)");
		expect(result).toMatchObject({ status: "succeeded", logs_truncated: true });
		expect("logs" in result && Buffer.byteLength(result.logs.join("\n"))).toBeLessThanOrEqual(64 * 1024);
	});
});

afterAll(async () => {
	expect(await output("def handler():\n    return 'still here'")).toBe("still here");
});

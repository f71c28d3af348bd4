import { describe, expect, test } from "vitest";
import { output, run } from "./client.ts";

test("results of the standard library's types become JSON", async () => {
	const source = `
import collections, dataclasses, datetime, decimal, enum, ipaddress, pathlib, uuid

class Colour(enum.Enum):
    RED = "red"

class Size(enum.IntEnum):
    L = 3

@dataclasses.dataclass
class Item:
    when: datetime.date
    colour: Colour

Point = collections.namedtuple("Point", "x y")

def handler():
    shared = [1]
    return {
        "item": Item(datetime.date(2026, 1, 2), Colour.RED),
        "time": datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC),
        "wait": datetime.timedelta(seconds=1.5),
        "price": decimal.Decimal("1.10"),
        "id": uuid.UUID(int=7),
        "set": {3, 1, 2},
        "point": Point(1, 2.5),
        "twice": [shared, shared],
        "path": pathlib.PurePosixPath("/a/b"),
        "size": Size.L,
        "text": "é\\n\\x00\\U0001F600",
        Colour.RED: {1: True, None: None, Size.L: "l"},
        "factorial": 2432902008176640000,
    }
`;
	expect(await output(source)).toEqual({
		item: { when: "2026-01-02", colour: "red" },
		time: "2026-01-02T00:00:00+00:00",
		wait: 1.5,
		price: "1.10",
		id: "00000000-0000-0000-0000-000000000007",
		set: [1, 2, 3],
		point: [1, 2.5],
		twice: [[1], [1]],
		path: "/a/b",
		size: 3,
		text: "é\n\0😀",
		red: { 1: true, null: null, 3: "l" },
		factorial: 2432902008176640000,
	});
});

test("the result is compared with the output schema", async () => {
	const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
	const source = "def handler(n):\n    return {'n': n}";
	const check = (n: unknown, output_schema: Record<string, unknown> | null) =>
		run(source, { arguments: { n }, output_schema });
	expect(await check(1, schema)).toMatchObject({ validation: "valid", mismatches: [] });
	expect(await check("x", schema)).toMatchObject({
		status: "succeeded",
		validation: "mismatch",
		mismatches: [{ path: "n", message: "Must be a whole number" }],
	});
	expect(await check("x", null)).toMatchObject({ validation: "na", mismatches: [] });
});

test("the result is compared with an output schema that has patternProperties", async () => {
	const output_schema = { patternProperties: { "^n": { type: "integer" } }, additionalProperties: false };
	const check = (names: Record<string, unknown>) =>
		run("def handler(names):\n    return names", { arguments: { names }, output_schema });
	expect(await check({ n: 1, n2: 2 })).toMatchObject({ validation: "valid", mismatches: [] });
	expect(await check({ n: "x", m: 1 })).toMatchObject({
		validation: "mismatch",
		mismatches: [
			{ path: "n", message: "Must be a whole number" },
			{ path: "m", message: "Unknown property" },
		],
	});
});

test("a result that takes too many steps to compare fails the run", async () => {
	const levels = Array.from({ length: 30 }, (_, n) => {
		const next = { $ref: `#/$defs/d${n + 1}` };
		return [`d${n}`, { allOf: [next, next] }];
	});
	const output_schema = { $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(levels), d30: {} } };
	expect(await run("def handler():\n    return 1", { output_schema })).toMatchObject({
		status: "failed",
		error: {
			code: "OUTPUT_TOO_COMPLEX",
			message:
				"output: Takes more than 1000000 steps to check. Return a smaller value, or simplify the tool's output schema.",
		},
	});
});

describe("what a tool prints", () => {
	test("is a line each, from both streams, with broken bytes replaced", async () => {
		const source = `
import sys
def handler():
    print("one")
    print("two", "héé", file=sys.stderr)
    sys.stdout.buffer.write(b"\\xff\\xfe\\n")
    print("a\\ud800b")
    print("no end", end="")
`;
		expect(await run(source)).toMatchObject({
			logs: ["one", "two héé", "\ufffd\ufffd", "a\\ud800b", "no end"],
			logs_truncated: false,
		});
	});
	test("is kept when the interpreter is lost", async () => {
		expect(await run("import os\ndef handler():\n    print('before')\n    os._exit(1)")).toMatchObject({
			logs: ["before"],
		});
	});
	test("survives a tool that closes its streams", async () => {
		expect(
			await run("import sys\ndef handler():\n    print('a')\n    sys.stdout.close()\n    return 1"),
		).toMatchObject({
			status: "succeeded",
			output: 1,
			logs: ["a"],
		});
	});
});

describe("an exception", () => {
	test("shows the tool's own lines and no frame of the harness", async () => {
		const source = "def helper(x):\n    return 1 / x\n\ndef handler(x: int):\n    return helper(x)";
		const result = await run(source, { arguments: { x: 0 } });
		expect(result).toMatchObject({
			status: "failed",
			error: {
				code: "EXCEPTION",
				message: "ZeroDivisionError: division by zero",
				traceback:
					'Traceback (most recent call last):\n  File "tool.py", line 5, in handler\n    return helper(x)\n  File "tool.py", line 2, in helper\n    return 1 / x\n           ~~^~~\nZeroDivisionError: division by zero\n',
			},
		});
	});
	test("keeps its cause, also from a coroutine", async () => {
		const source =
			"async def handler():\n    try:\n        1 / 0\n    except Exception as e:\n        raise ValueError('outer') from e";
		const result = await run(source);
		const traceback = result.status === "failed" ? (result.error.traceback ?? "") : "";
		expect(traceback).toMatch(/line 3, in handler[\s\S]*direct cause[\s\S]*line 5, in handler/);
		expect(traceback).not.toContain("_parley");
	});
	test("of the tool's own interrupt is no time-out", async () => {
		expect(await run("def handler():\n    raise KeyboardInterrupt")).toMatchObject({
			status: "failed",
			error: { code: "EXCEPTION" },
		});
	});
	test("without a usable text is still reported", async () => {
		const source =
			"class Mute(Exception):\n    def __str__(self): raise ValueError\n\ndef handler():\n    raise Mute";
		expect(await run(source)).toMatchObject({
			status: "failed",
			error: { message: expect.stringContaining("Mute") },
		});
	});
	test("with a huge text is cut", async () => {
		const result = await run("def handler():\n    raise ValueError('x' * 1_000_000)");
		expect(result.error?.message.length).toBeLessThanOrEqual(4000);
	});
});

import { describe, expect, test } from "vitest";
import { build, buildAndRun, describeAll, describeTool, introspect, output, run } from "./client.ts";

const TYPES = `
from __future__ import annotations
import collections, collections.abc as cabc, datetime as dt, decimal, enum, ipaddress, uuid
from dataclasses import InitVar, dataclass, field
from typing import *

class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2

class Colour(enum.Enum):
    RED = "red"
    GREEN = "green"

class Point(NamedTuple):
    x: float
    y: float

@dataclass
class Item:
    """One line.

    Attributes:
        sku: Stock number.
    """
    sku: Annotated[str, {"minLength": 2}]
    colour: Colour = Colour.RED
    due: dt.date | None = None
    tags: list[str] = field(default_factory=list)
    seed: InitVar[int] = 3
    total: int = field(init=False, default=0)
    kind: ClassVar[str] = "item"

    def __post_init__(self, seed):
        self.total = seed

class Row(TypedDict, total=False):
    id: Required[int]
    item: Item

@dataclass
class Node:
    value: int
    children: list[Node] = field(default_factory=list)

@dataclass
class Left:
    a: int

@dataclass
class Right:
    b: Colour

type Json = dict[str, Json] | list[Json] | str | int | None
UserId = NewType("UserId", int)
`;

/** One parameter of each kind: annotation, JSON in, `repr` of what the function gets. */
const KINDS: Record<string, [annotation: string, json: unknown, repr: string]> = {
	text: ["str", "é", "'é'"],
	whole: ["int", 3, "3"],
	ratio: ["float", 1, "1.0"],
	flag: ["bool", true, "True"],
	alias: ["UserId", 5, "5"],
	either: ["int | float", 3, "3"],
	level: ["Level", 2, "<Level.HIGH: 2>"],
	item: ["Item", { sku: "ab" }, "Item(sku='ab', colour=<Colour.RED: 'red'>, due=None, tags=[], total=3)"],
	items: [
		"list[Item]",
		[{ sku: "cd", due: "2026-01-02", colour: "green", seed: 9 }],
		"[Item(sku='cd', colour=<Colour.GREEN: 'green'>, due=datetime.date(2026, 1, 2), tags=[], total=9)]",
	],
	by_name: ["dict[str, Right]", { x: { b: "red" } }, "{'x': Right(b=<Colour.RED: 'red'>)}"],
	maybe: ["Optional[Right]", { b: "green" }, "Right(b=<Colour.GREEN: 'green'>)"],
	nothing: ["Right | None", null, "None"],
	union: ["Left | Right", { b: "red" }, "Right(b=<Colour.RED: 'red'>)"],
	row: [
		"Row",
		{ id: 1, item: { sku: "gh", tags: ["t"] } },
		"{'id': 1, 'item': Item(sku='gh', colour=<Colour.RED: 'red'>, due=None, tags=['t'], total=3)}",
	],
	node: [
		"Node",
		{ value: 1, children: [{ value: 2 }] },
		"Node(value=1, children=[Node(value=2, children=[])])",
	],
	when: [
		"dt.datetime",
		"2026-01-02T03:04:05Z",
		"datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)",
	],
	day: ["dt.date", "2026-01-02", "datetime.date(2026, 1, 2)"],
	at: ["dt.time", "03:04:05Z", "datetime.time(3, 4, 5, tzinfo=datetime.timezone.utc)"],
	wait: ["dt.timedelta", 1.5, "datetime.timedelta(seconds=1, microseconds=500000)"],
	uid: ["uuid.UUID", "0190b3a0-0000-7000-8000-000000000000", "UUID('0190b3a0-0000-7000-8000-000000000000')"],
	price: ["decimal.Decimal", "1.10", "Decimal('1.10')"],
	cost: ["decimal.Decimal", 1.1, "Decimal('1.1')"],
	colours: ["set[Colour]", ["red"], "{<Colour.RED: 'red'>}"],
	pair: ["tuple[int, Colour]", [1, "green"], "(1, <Colour.GREEN: 'green'>)"],
	many: ["tuple[dt.date, ...]", ["2026-01-01"], "(datetime.date(2026, 1, 1),)"],
	point: ["Point", [1, 2], "Point(x=1.0, y=2.0)"],
	by_id: ["dict[int, float]", { 7: 1 }, "{7: 1.0}"],
	by_colour: ["dict[Colour, int]", { red: 1 }, "{<Colour.RED: 'red'>: 1}"],
	literal: ['Literal["x", 1, True]', true, "True"],
	ip: ["ipaddress.IPv4Address", "1.2.3.4", "IPv4Address('1.2.3.4')"],
	raw: ["bytes", "aGk=", "b'hi'"],
	json: ["Json", { a: [1, null, "x"] }, "{'a': [1, None, 'x']}"],
	sequence: ["Sequence[int]", [1], "[1]"],
	mapping: ["cabc.Mapping[str, dt.date]", { a: "2026-01-01" }, "{'a': datetime.date(2026, 1, 1)}"],
	queue: ["collections.deque[int]", [1, 2], "deque([1, 2])"],
	anything: ["Any", { a: 1 }, "{'a': 1}"],
	annotated: ['Annotated[list[Level], "levels"]', [1], "[<Level.LOW: 1>]"],
};

describe("arguments arrive as what the annotations say", () => {
	test("of every kind, nested and in containers", async () => {
		const parameters = Object.entries(KINDS).map(([name, [annotation]]) => `${name}: ${annotation}`);
		const source = `${TYPES}\ndef handler(${parameters.join(", ")}, untyped, *, defaulted: Colour = Colour.GREEN, **rest: dt.date):\n    return {k: repr(v) for k, v in locals().items()}`;
		const args = Object.fromEntries(Object.entries(KINDS).map(([name, [, json]]) => [name, json]));

		const result = await buildAndRun(source, { ...args, untyped: [1], later: "2026-05-05" });

		expect(result).toMatchObject({
			status: "succeeded",
			output: {
				...Object.fromEntries(Object.entries(KINDS).map(([name, [, , repr]]) => [name, repr])),
				untyped: "[1]",
				defaulted: "<Colour.GREEN: 'green'>",
				rest: "{'later': datetime.date(2026, 5, 5)}",
			},
		});
	});

	test("an async tool gets them too", async () => {
		const source = `${TYPES}\nimport asyncio\nasync def handler(item: Item, pause: float = 0.01):\n    await asyncio.sleep(pause)\n    return [item.sku, (await asyncio.gather(_double(2), _double(3)))]\nasync def _double(n):\n    await asyncio.sleep(0)\n    return n * 2`;
		expect(await buildAndRun(source, { item: { sku: "ab" } })).toMatchObject({ output: ["ab", [4, 6]] });
	});

	test("a sync tool may run a loop of its own", async () => {
		const source =
			"import asyncio\nasync def _work():\n    await asyncio.sleep(0.01)\n    return 5\ndef handler():\n    return asyncio.run(_work())";
		expect(await output(source)).toBe(5);
	});
});

describe("arguments that do not fit are refused, each with its path", () => {
	const source = `${TYPES}\ndef handler(item: Item, items: list[Item], maybe: Item | None, when: dt.datetime, union: Left | Right, pair: tuple[int, int], ratio: float, colours: set[Colour], price: decimal.Decimal, by_id: dict[int, int], day: dt.date):\n    raise SystemExit("must not be called")`;

	test("before anything runs", async () => {
		const { arg_schema } = await describeTool(source);
		const result = await run(source, {
			arg_schema,
			arguments: {
				item: { sku: "a", due: "nope", extra: 1 },
				items: [{ sku: "ab" }, { colour: "blue", sku: "ab" }],
				maybe: { colour: "red" },
				when: "2026-13-01T00:00:00Z",
				union: {},
				pair: [1],
				ratio: "x",
				colours: ["red", "red"],
				price: "one",
				by_id: { x: 1 },
				nope: 1,
			},
		});
		expect(result).toMatchObject({ status: "refused", error: { code: "INVALID_ARGUMENTS" } });
		const fields = Object.fromEntries(
			result.status === "refused" ? result.error.fields.map(({ path, message }) => [path, message]) : [],
		);
		expect(fields).toEqual({
			day: "Is required",
			"item.sku": "Must have at least 2 characters",
			"item.due": "Must be a date such as 2026-11-20",
			"item.extra": "Unknown property",
			"items.1.colour": 'Must be one of "red", "green"',
			"maybe.sku": "Is required",
			when: "Must be a date and time with its offset, such as 2026-11-20T09:30:00Z",
			union: "Must match one of the allowed schemas",
			pair: "Must have at least 2 items",
			ratio: "Must be a number",
			colours: "Must have unique items: 0 and 1 are equal",
			price: expect.stringContaining("Must match the pattern "),
			"by_id.x": expect.stringContaining("The name must match the pattern "),
			nope: "Unknown property",
		});
	});

	test("also by the conversion, when the schema was looser than the type", async () => {
		const result = await run(source, {
			arguments: { item: { sku: "ab", colour: "blue" } },
		});
		expect(result).toMatchObject({
			status: "refused",
			error: { code: "INVALID_ARGUMENTS", fields: [{ path: "items", message: "Is required" }] },
		});
		const leap = await buildAndRun("import datetime\ndef handler(at: datetime.time): pass", {
			at: "23:59:60Z",
		});
		expect(leap).toMatchObject({ status: "refused", error: { fields: [{ path: "at" }] } });
	});

	test("a schema that cannot be used refuses every run", async () => {
		const arg_schema = { type: "object", properties: { a: { type: "string", pattern: "(?=x)" } } };
		expect(await run("def handler(a: str): pass", { arg_schema, arguments: { a: "x" } })).toMatchObject({
			status: "refused",
			error: { code: "SCHEMA_INVALID" },
		});
	});
});

describe("a tool may define Input for all its arguments", () => {
	test("as a dataclass", async () => {
		const source = `${TYPES}\n@dataclass\nclass Input:\n    """What to do.\n\n    Args:\n        item: The line.\n    """\n    item: Item\n    count: int = 1\n\ndef handler(input: Input) -> str:\n    """Do it."""\n    return repr(input)`;
		const tool = await describeTool(source);
		expect(tool).toMatchObject({
			description: "Do it.",
			arg_schema: {
				type: "object",
				description: "What to do.",
				properties: {
					item: { $ref: "#/$defs/Item", description: "The line." },
					count: { type: "integer", default: 1 },
				},
				required: ["item"],
				additionalProperties: false,
			},
		});
		expect(Object.keys(tool.arg_schema.$defs as object)).toEqual(["Item"]);
		expect(await buildAndRun(source, { item: { sku: "ab" } })).toMatchObject({
			status: "succeeded",
			validation: "valid",
			output: "Input(item=Item(sku='ab', colour=<Colour.RED: 'red'>, due=None, tags=[], total=3), count=1)",
		});
	});

	test("as a TypedDict, and as a class that contains itself", async () => {
		const typed = `${TYPES}\nclass Input(TypedDict):\n    day: dt.date\n\ndef handler(input: Input):\n    return repr(input)`;
		expect(await buildAndRun(typed, { day: "2026-01-02" })).toMatchObject({
			output: "{'day': datetime.date(2026, 1, 2)}",
		});
		const recursive = `${TYPES}\n@dataclass\nclass Input:\n    next: Input | None = None\n\ndef handler(input: Input):\n    return repr(input)`;
		expect(await buildAndRun(recursive, { next: { next: null } })).toMatchObject({
			output: "Input(next=Input(next=None))",
		});
		expect(await buildAndRun(recursive, { next: { next: 1 } })).toMatchObject({ status: "refused" });
	});

	test("as a pydantic model, whose own checks count", async () => {
		const source =
			"from modelkit import BaseModel\n\nclass Input(BaseModel): ...\n\ndef handler(input: Input) -> Input:\n    return input";
		const built = await build(source, ["modelkit==1.0"]);
		if (!built.ok) throw new Error(JSON.stringify(built.errors));
		const { frozen_deps, tool } = built;
		expect(tool.arg_schema).toMatchObject({ type: "object", required: ["email"] });
		const call = (email: string) => run(source, { ...tool, frozen_deps, arguments: { email } });
		expect(await call("a@b")).toMatchObject({ output: { email: "a@b" }, validation: "valid" });
		expect(await call("ab")).toMatchObject({
			status: "refused",
			error: { code: "INVALID_ARGUMENTS", fields: [{ path: "email", message: "Must hold an @" }] },
		});
	});

	test("a parameter of another class is a parameter like any other", async () => {
		const tool = await describeTool(`${TYPES}\ndef handler(order: Item): pass`);
		expect(tool.arg_schema).toMatchObject({ properties: { order: { $ref: "#/$defs/Item" } } });
	});
});

test("annotations that cannot be described are named", async () => {
	const cases = [
		["class Socket: ...\ndef handler(s: Socket): pass", "UNSUPPORTED_ANNOTATION", "the class Socket"],
		["def handler(s: 'Missing'): pass", "UNSUPPORTED_ANNOTATION", "Missing"],
		["def handler(s: 1 / 0): pass", "UNSUPPORTED_ANNOTATION", "ZeroDivisionError"],
		[
			"from typing import Annotated\ndef handler(s: Annotated[int, {'anyOf': []}]): pass",
			"UNSUPPORTED_ANNOTATION",
			"anyOf",
		],
		[
			"from enum import Enum\nclass E(Enum):\n    A = (1, 2)\ndef handler(e: E): pass",
			"UNSUPPORTED_ANNOTATION",
			"class E",
		],
		[
			"from typing import Iterator\ndef handler(s: Iterator[int]): pass",
			"UNSUPPORTED_ANNOTATION",
			"Iterator",
		],
		["def handler(s, /): pass", "UNSUPPORTED_PARAMETER", "'s'"],
		["def handler(*s): pass", "UNSUPPORTED_PARAMETER", "'s'"],
	] as const;
	const found = await describeAll(cases.map(([source]) => source));
	expect(found).toEqual(
		cases.map(([, code, message]) => ({ code, message: expect.stringContaining(message) })),
	);
});

test("annotations that make no usable schema fail the schema gate", async () => {
	const annotated = (keywords: string) =>
		`from typing import Annotated\ndef handler(s: Annotated[str, ${keywords}]): pass`;
	const parameters = Array.from({ length: 300 }, (_, n) => `p${n}`).join(", ");
	for (const [source, code, message] of [
		["class Socket: ...\ndef handler(s: Socket): pass", "UNSUPPORTED_ANNOTATION", "the class Socket"],
		[annotated("{'pattern': '(a)\\\\1'}"), "SCHEMA_INVALID", "pattern"],
		[annotated("{'minLength': -1}"), "SCHEMA_INVALID", "minLength"],
		[annotated("{'description': 'x' * 70_000}"), "SCHEMA_TOO_LARGE", "64 KiB"],
		[`def handler(${parameters}): pass`, "SCHEMA_TOO_LARGE", "256 properties"],
	] as const) {
		expect(await introspect(source)).toMatchObject({
			ok: false,
			errors: [{ code, gate: "schema", message: expect.stringContaining(message) }],
		});
	}
});

import { describe, expect, test } from "vitest";
import { describeAll, describeTool, output, run } from "./client.ts";

const properties = async (source: string) =>
	(await describeTool(source)).arg_schema.properties as Record<string, Record<string, unknown>>;

describe("the entry function", () => {
	test("is the one named handler, among others", async () => {
		const tool = await describeTool("def a(): pass\nasync def handler():\n    '''The one.'''\ndef b(): pass");
		expect(tool).toMatchObject({ entry: "handler", is_async: true, description: "The one." });
	});
	test("is else the only public one, whatever is imported beside it", async () => {
		const source =
			"from json import dumps\nfrom dataclasses import dataclass, field\nimport functools\n\n@functools.lru_cache\ndef double(n: int) -> int:\n    return n * 2\n\nalias = double\n\nclass Helper: ...\n\ndef _own(): pass";
		expect(await describeTool(source)).toMatchObject({ entry: "double", arg_schema: { required: ["n"] } });
		expect(await output(source, { arguments: { n: 4 } })).toBe(8);
	});
	test("keeps its signature under a decorator", async () => {
		const source =
			"import functools\n\ndef _logged(fn):\n    @functools.wraps(fn)\n    def inner(*args, **kw):\n        print('calling')\n        return fn(*args, **kw)\n    return inner\n\n@_logged\ndef paint(colour: str, size: int = 2):\n    return colour * size";
		expect(await describeTool(source)).toMatchObject({
			entry: "paint",
			arg_schema: { required: ["colour"] },
		});
		expect(await run(source, { arguments: { colour: "ab" } })).toMatchObject({
			output: "abab",
			logs: ["calling"],
		});
	});
});

describe("descriptions of parameters come from the docstring", () => {
	test("in the style of Google, NumPy and reST", async () => {
		const city = "Name of the city,\n            such as Oslo.";
		const styles = [
			`Args:\n        city (str): ${city}\n        days: How many days.\n\n    Returns:\n        A forecast.`,
			`Parameters\n    ----------\n    city : str\n        ${city}\n    days : int, optional\n        How many days.\n\n    Returns\n    -------\n    dict`,
			`:param str city: ${city}\n    :param days: How many days.\n    :return: A forecast.`,
		];
		const found = await describeAll(
			styles.map(
				(style) => `def handler(city: str, days: int = 3):\n    """Look up.\n\n    ${style}\n    """`,
			),
		);
		for (const report of found) {
			expect(report).toMatchObject({
				summary: "Look up.",
				arg_schema: {
					properties: {
						city: { description: "Name of the city, such as Oslo." },
						days: { description: "How many days." },
					},
				},
			});
		}
		expect(found).toHaveLength(styles.length);
	});
	test("unless Annotated says something else", async () => {
		const source = `from typing import Annotated, Literal
from enum import Enum

class Size(Enum):
    S = "s"
    L = "l"

class Bound:
    def __init__(self, ge=None, max_length=None, description=None):
        self.ge, self.max_length, self.description = ge, max_length, description

def handler(
    a: Annotated[str, "Said here"],
    b: Annotated[int, {"minimum": 1, "description": "From a dict", "x-hint": True}],
    c: Annotated[list[Size], Bound(ge=2, max_length=5, description="From an object")] = [Size.S],
    d: Literal["x", "y"] | None = None,
    e=object(),
):
    """Do.

    Args:
        a: Not this.
    """
`;
		expect(await properties(source)).toEqual({
			a: { type: "string", description: "Said here" },
			b: { type: "integer", minimum: 1, description: "From a dict", "x-hint": true },
			c: {
				type: "array",
				items: { enum: ["s", "l"], type: "string" },
				description: "From an object",
				maxItems: 5,
				default: ["s"],
			},
			d: { anyOf: [{ enum: ["x", "y"], type: "string" }, { type: "null" }], default: null },
			e: {},
		});
	});
});

test("the return annotation makes the output schema when it says something", async () => {
	const useful = {
		"list[Forecast]": {
			type: "array",
			items: { $ref: "#/$defs/Forecast" },
			$defs: {
				Forecast: {
					type: "object",
					properties: {
						day: { type: "string", format: "date" },
						high: { type: "number" },
						seen: { type: "boolean" },
					},
					required: ["day", "high", "seen"],
				},
			},
		},
		"dict[str, int]": { type: "object", additionalProperties: { type: "integer" } },
		None: { type: "null" },
	};
	const useless = ["Any", "dict", "dict[str, Any]", "list", "Odd", "Iterator[int]"];
	const expected = { ...useful, ...Object.fromEntries(useless.map((annotation) => [annotation, null])) };
	const source = (annotation: string) => `
from dataclasses import dataclass, field
from typing import *
import datetime

@dataclass
class Forecast:
    day: datetime.date
    high: float = 0
    seen: bool = field(init=False, default=False)

class Odd: ...

async def handler() -> ${annotation}: ...
`;
	const found = await describeAll(Object.keys(expected).map(source));
	const schemas = found.map((report) => ("output_schema" in report ? report.output_schema : report));
	expect(Object.fromEntries(Object.keys(expected).map((key, i) => [key, schemas[i]]))).toEqual(expected);
});

test("classes of one name are told apart, a recursive one refers to itself", async () => {
	const source = `from dataclasses import dataclass
def _make(kind):
    @dataclass
    class Item:
        value: kind
    return Item
One, Two = _make(int), _make(str)
@dataclass
class Tree:
    children: list["Tree"]
def handler(a: One, b: Two, tree: Tree): pass`;
	const { arg_schema } = await describeTool(source);
	expect(arg_schema.properties).toEqual({
		a: { $ref: "#/$defs/Item" },
		b: { $ref: "#/$defs/Item_2" },
		tree: { $ref: "#/$defs/Tree" },
	});
});

test("declared secrets have a placeholder while a tool is built, and nothing else is there", async () => {
	const source = "import os\nKEY = os.environ['API_KEY']\ndef handler(a: str = ','.join(os.environ)): pass";
	const tool = await describeTool(source, { declared_secrets: ["API_KEY"] });
	expect(tool.arg_schema).toMatchObject({ properties: { a: { default: "API_KEY" } } });
});

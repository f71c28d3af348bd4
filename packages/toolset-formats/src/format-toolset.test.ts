import fc from "fast-check";
import { toStrictJsonSchema } from "openai/lib/transform";
import { describe, expect, test } from "vitest";
import { formatToolset, TOOLSET_FORMATS } from "./format-toolset.ts";
import type { OpenAiTool } from "./openai.ts";
import { anyParameters } from "./schema.fixture.ts";
import { childSchemas, propertiesOf, type Schema } from "./schema.ts";

const weather = {
	name: "get_weather",
	description: "Look up the weather of a city.",
	parameters: {
		type: "object",
		properties: { city: { type: "string" }, days: { type: ["integer", "null"], default: 3 } },
		required: ["city", "days"],
	},
};
const withParameters = (parameters: Schema) => [{ ...weather, parameters }];
const only = (format: (typeof TOOLSET_FORMATS)[number], parameters: Schema) => {
	const { tools, warnings } = formatToolset(format, withParameters(parameters));
	return {
		tool: tools[0] as Record<string, Schema> | undefined,
		warnings: warnings.map(({ message }) => message),
	};
};
const object = (properties: Schema, more: Schema = {}) => ({ type: "object", properties, ...more });

describe("OpenAI", () => {
	test("a schema inside the strict subset is strict, closed and without defaults", () => {
		expect(formatToolset("openai", [weather])).toEqual({
			tools: [
				{
					type: "function",
					name: "get_weather",
					description: "Look up the weather of a city.",
					parameters: {
						type: "object",
						properties: { city: { type: "string" }, days: { type: ["integer", "null"] } },
						required: ["city", "days"],
						additionalProperties: false,
					},
					strict: true,
				},
			],
			warnings: [],
		});
	});

	test("a description longer than chat completions take is cut, with a warning", () => {
		const description = `${"a".repeat(1022)}😀 and more`;
		const { tools, warnings } = formatToolset("openai", [{ ...weather, description }]);
		expect(tools).toMatchObject([{ description: `${"a".repeat(1022)}…`, strict: true }]);
		expect(warnings).toEqual([
			{ tool: "get_weather", message: expect.stringContaining("`description` is cut to 1024 characters") },
		]);
		expect(formatToolset("openai_realtime", [{ ...weather, description }]).tools).toMatchObject([
			{ description },
		]);
	});

	test.each<[string, Schema]>([
		["required", object({ city: { type: "string" } })],
		["additionalProperties", object({}, { additionalProperties: true })],
		["minLength", object({ city: { type: "string", minLength: 1 } }, { required: ["city"] })],
		["oneOf", object({ city: { oneOf: [{ type: "string" }] } }, { required: ["city"] })],
		["items", object({ city: { type: "array" } }, { required: ["city"] })],
		["type", object({ city: {} }, { required: ["city"] })],
		["$ref", object({ city: { $ref: "#/$defs/Gone" } }, { required: ["city"] })],
		["$ref", object({ city: { $ref: "https://example.com/city.json" } }, { required: ["city"] })],
	])(
		"a schema outside the strict subset is not strict, and the warning names `%s`",
		(keyword, parameters) => {
			const { tool, warnings } = only("openai", parameters);
			expect(tool).toMatchObject({ strict: false, parameters });
			expect(warnings).toHaveLength(1);
			expect(warnings[0]).toMatch(/^not strict: /);
			expect(warnings[0]).toContain(`\`${keyword}\``);
		},
	);

	test("a recursive schema is not strict", () => {
		const node = object(
			{ next: { $ref: "#/$defs/Node" } },
			{ required: ["next"], additionalProperties: false },
		);
		const { tool, warnings } = only(
			"openai",
			object({ head: { $ref: "#/$defs/Node" } }, { required: ["head"], $defs: { Node: node } }),
		);
		expect(tool).toMatchObject({ strict: false });
		expect(warnings[0]).toContain("recursive");
	});

	test("the realtime format has no strict mode", () => {
		expect(formatToolset("openai_realtime", [weather]).tools[0]).not.toHaveProperty("strict");
	});

	test("a strict schema is one that OpenAI's own package accepts unchanged", () => {
		let strict = 0;
		fc.assert(
			fc.property(anyParameters, (parameters) => {
				const tool = formatToolset("openai", withParameters(parameters)).tools[0] as OpenAiTool;
				if (!tool.strict) return;
				strict++;
				expect(toStrictJsonSchema(tool.parameters as never)).toEqual(tool.parameters);
			}),
			{ numRuns: 2_000 },
		);
		expect(strict).toBeGreaterThan(20);
	});
});

describe("the root", () => {
	test.each(["openai", "openai_realtime", "anthropic", "gemini"] as const)(
		"of %s parameters loses combinators, with a warning for each",
		(format) => {
			const parameters = object({ a: { type: "string" } }, { required: ["a"], anyOf: [{}], not: {} });
			const { tool, warnings } = only(format, parameters);
			const root = tool?.parameters ?? tool?.input_schema;
			expect(Object.keys(root ?? {})).not.toEqual(expect.arrayContaining(["anyOf"]));
			expect(root).not.toHaveProperty("not");
			expect(warnings.filter((text) => text.includes("at the root"))).toHaveLength(2);
		},
	);
});

describe("Anthropic", () => {
	test("an optional parameter whose name is refused is left out", () => {
		const { tool, warnings } = only("anthropic", object({ city: { type: "string" }, "wo wohnst du": {} }));
		expect(tool).toEqual({
			name: "get_weather",
			description: weather.description,
			input_schema: object({ city: { type: "string" } }),
		});
		expect(warnings).toEqual([
			'the parameter name "wo wohnst du" is refused by the vendor: the parameter is left out',
		]);
	});

	test("a tool with a required parameter whose name is refused is left out, and the others stay", () => {
		const refused = { ...weather, name: "other", parameters: object({ "a b": {} }, { required: ["a b"] }) };
		const { tools, warnings } = formatToolset("anthropic", [refused, weather]);
		expect(tools).toHaveLength(1);
		expect(warnings).toEqual([
			{ tool: "other", message: 'the parameter name "a b" is refused by the vendor: the tool is left out' },
		]);
	});
});

describe("Gemini", () => {
	test("types are upper case, null becomes nullable and a reference is inlined", () => {
		const { tool, warnings } = only(
			"gemini",
			object(
				{
					city: { $ref: "#/$defs/City" },
					days: { type: ["integer", "null"], minimum: 1 },
					unit: { const: "celsius" },
					at: { type: "string", format: "date-time" },
					tags: { type: "array", items: { type: "string" } },
				},
				{ required: ["city"], $defs: { City: { type: "string", description: "Its name" } } },
			),
		);
		expect(warnings).toEqual([]);
		expect(tool?.parameters).toEqual({
			type: "OBJECT",
			properties: {
				city: { type: "STRING", description: "Its name" },
				days: { type: "INTEGER", nullable: true, minimum: 1 },
				unit: { type: "STRING", format: "enum", enum: ["celsius"] },
				at: { type: "STRING", format: "date-time" },
				tags: { type: "ARRAY", items: { type: "STRING" } },
			},
			required: ["city"],
			propertyOrdering: ["city", "days", "unit", "at", "tags"],
		});
	});

	test("a tool without arguments has no parameters", () => {
		expect(only("gemini", object({})).tool).toEqual({
			name: "get_weather",
			description: weather.description,
		});
	});

	test("each keyword that is lost is named", () => {
		const { warnings } = only(
			"gemini",
			object({
				list: { type: "array", items: {}, uniqueItems: true },
				size: { type: "integer", enum: [1, 2] },
				mail: { type: "string", format: "email" },
				one: { oneOf: [{ type: "string" }, { type: "null" }] },
			}),
		);
		expect(warnings).toEqual([
			"`uniqueItems` at properties.list is not known to Gemini and is left out",
			"`enum` at properties.size is not a list of texts and is left out",
			'`format` at properties.mail "email" is not known to Gemini and is left out',
			"`oneOf` at properties.one is given to Gemini as `anyOf`",
		]);
	});

	test("a recursive schema is cut off", () => {
		const { tool, warnings } = only(
			"gemini",
			object(
				{ head: { $ref: "#/$defs/Node" } },
				{ $defs: { Node: object({ next: { $ref: "#/$defs/Node" } }) } },
			),
		);
		expect(JSON.stringify(tool).length).toBeLessThan(600);
		expect(warnings).toContain("`$ref` at properties.head.properties.next is recursive and is cut off");
	});
});

/** Keywords of Gemini's `Schema` message. Any other makes Gemini refuse the whole request. */
const GEMINI_KEYWORDS = new Set(
	"type format title description nullable enum items minItems maxItems minLength maxLength minProperties maxProperties minimum maximum pattern properties required propertyOrdering anyOf default example".split(
		" ",
	),
);

test("no schema makes a vendor refuse the request", () => {
	fc.assert(
		fc.property(anyParameters, (parameters) => {
			for (const format of TOOLSET_FORMATS) {
				const { tool } = only(format, parameters);
				const root = tool?.parameters ?? tool?.input_schema;
				if (format === "json_schema" || !root) continue;
				for (const keyword of ["oneOf", "anyOf", "allOf", "not", "enum"])
					expect(root).not.toHaveProperty(keyword);
				if (format === "anthropic")
					for (const name of Object.keys(propertiesOf(root))) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
				if (format === "gemini") expectGemini(root);
			}
		}),
		{ numRuns: 1_000 },
	);
});

function expectGemini(schema: Schema): void {
	for (const keyword of Object.keys(schema)) expect(GEMINI_KEYWORDS.has(keyword), keyword).toBe(true);
	if (!schema.anyOf) expect(schema.type).toMatch(/^(STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT)$/);
	if (schema.type === "ARRAY") expect(schema.items).toBeDefined();
	for (const name of Object.keys(propertiesOf(schema))) expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_]*$/);
	for (const child of childSchemas(schema)) expectGemini(child.schema);
}

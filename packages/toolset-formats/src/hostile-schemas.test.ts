import { expect, test } from "vitest";
import { formatToolset, TOOLSET_FORMATS } from "./format-toolset.ts";
import type { OpenAiTool } from "./openai.ts";
import type { Schema } from "./schema.ts";

const toolWith = (parameters: Schema, name = "odd") => ({ name, description: "", parameters });
const simple = toolWith({ type: "object", properties: {} }, "simple");
const text = { type: "string" };
const rootOf = (tool: unknown): Schema => {
	const { parameters, input_schema } = tool as { parameters?: Schema; input_schema?: Schema };
	return parameters ?? input_schema ?? {};
};

/** A schema whose definitions each refer to the next twice: inlined, it has 2 to the power of `levels` parts. */
function multiplying(levels: number): Schema {
	const definitions = Array.from({ length: levels }, (_, level) => {
		const $ref = `#/$defs/D${level + 1}`;
		const required = ["a", "b"];
		const properties = { a: { $ref }, b: { $ref } };
		return [`D${level}`, { type: "object", properties, required, additionalProperties: false }];
	});
	return {
		...{ type: "object", properties: { a: { $ref: "#/$defs/D0" } }, required: ["a"] },
		$defs: { ...Object.fromEntries(definitions), [`D${levels}`]: text },
	};
}

test.each(TOOLSET_FORMATS)("references that multiply take no time and no other tool in %s", (format) => {
	const startedAt = performance.now();
	const { tools } = formatToolset(format, [toolWith(multiplying(30)), simple]);
	expect(performance.now() - startedAt).toBeLessThan(500);
	expect(tools.at(-1)).toMatchObject({ name: "simple" });
	expect(JSON.stringify(tools).length).toBeLessThan(20_000);
});

test("a tool that is too large for Gemini once inlined is left out with a warning", () => {
	const { tools, warnings } = formatToolset("gemini", [toolWith(multiplying(30))]);
	expect(tools).toEqual([]);
	expect(warnings).toEqual([{ tool: "odd", message: expect.stringContaining("more than 5000 parts") }]);
	expect(formatToolset("gemini", [toolWith(multiplying(5))]).tools).toHaveLength(1);
});

test("a long chain of references does not exhaust the stack", () => {
	const definitions = Object.fromEntries(
		Array.from({ length: 20_000 }, (_, at) => [`D${at}`, { $ref: `#/$defs/D${at + 1}` }]),
	);
	const parameters = { type: "object", properties: { a: { $ref: "#/$defs/D0" } }, $defs: definitions };
	for (const format of TOOLSET_FORMATS)
		expect(formatToolset(format, [toolWith(parameters), simple]).tools.at(-1)).toMatchObject({
			name: "simple",
		});
});

test("a schema of more levels than there is stack leaves its tool out and no other", () => {
	let deep: Schema = text;
	for (let level = 0; level < 50_000; level++) deep = { type: "array", items: deep };
	const parameters = { type: "object", properties: { deep } };
	for (const format of ["openai", "openai_realtime", "anthropic", "gemini"] as const)
		expect(formatToolset(format, [toolWith(parameters), simple])).toMatchObject({
			tools: [{ name: "simple" }],
			warnings: [{ tool: "odd", message: expect.stringContaining("nested too deeply") }],
		});
});

test.each(TOOLSET_FORMATS.filter((format) => format !== "json_schema"))(
	"a reference at the root is replaced by its target in %s",
	(format) => {
		const Args = { type: "object", properties: { city: text }, required: ["city"] };
		const { tools, warnings } = formatToolset(format, [toolWith({ $ref: "#/$defs/Args", $defs: { Args } })]);
		expect(rootOf(tools[0])).toMatchObject({ properties: { city: {} }, required: ["city"] });
		expect(warnings).toEqual([]);
	},
);

test("a reference at the root that leads to itself is left out", () => {
	for (const parameters of [
		{ $ref: "#" },
		{ $ref: "#/$defs/A", $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } } },
	])
		expect(formatToolset("anthropic", [toolWith(parameters)])).toMatchObject({
			tools: [{ input_schema: { type: "object", properties: {} } }],
			warnings: [{ message: expect.stringContaining("leads nowhere") }],
		});
});

test("the properties of combinators at the root can still be given, and what every alternative requires is required", () => {
	const by = (name: string) => ({ type: "object", properties: { [name]: text }, required: [name, "kind"] });
	const parameters = {
		...{ type: "object", properties: { kind: text } },
		allOf: [{ properties: { unit: text }, required: ["unit"] }],
		anyOf: [by("city"), by("postcode")],
	};
	const { tools, warnings } = formatToolset("openai_realtime", [toolWith(parameters)]);
	expect(rootOf(tools[0])).toEqual({
		type: "object",
		properties: { kind: text, unit: text, city: text, postcode: text },
		required: ["unit", "kind"],
	});
	expect(warnings.map(({ message }) => message.split(" ")[0])).toEqual(["`anyOf`", "`allOf`"]);
});

test("keywords of older drafts become those of 2020-12", () => {
	const parameters = {
		$schema: "http://json-schema.org/draft-04/schema#",
		type: "object",
		properties: {
			pair: { type: "array", items: [text, text], additionalItems: false },
			age: { type: "integer", minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
		},
	};
	const { tools } = formatToolset("anthropic", [toolWith(parameters)]);
	expect(rootOf(tools[0])).toEqual({
		type: "object",
		properties: {
			pair: { type: "array", prefixItems: [text, text], items: false },
			age: { type: "integer", exclusiveMinimum: 0, maximum: 9 },
		},
	});
	expect(rootOf(formatToolset("json_schema", [toolWith(parameters)]).tools[0])).toEqual(parameters);
});

test("a recursive schema is found by way of several definitions", () => {
	const object = (properties: Schema) => ({
		...{ type: "object", properties, required: Object.keys(properties), additionalProperties: false },
	});
	const parameters = {
		...object({ a: { $ref: "#/$defs/A" }, c: { $ref: "#/$defs/C" } }),
		$defs: {
			A: object({ b: { $ref: "#/$defs/B" } }),
			B: object({ a: { $ref: "#/$defs/A" } }),
			C: text,
		},
	};
	const { tools, warnings } = formatToolset("openai", [toolWith(parameters)]);
	expect((tools[0] as OpenAiTool).strict).toBe(false);
	expect(warnings[0]?.message).toContain("recursive");
});

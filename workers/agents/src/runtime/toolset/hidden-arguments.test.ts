import { validate } from "@parley/json-schema/validate";
import fc from "fast-check";
import { expect, test } from "vitest";
import { modelParameters, visibleArguments } from "./hidden-arguments.ts";

const rules = (hidden: string[], optional: string[] = []) => ({
	hidden: new Set(hidden),
	optional: new Set(optional),
});
const text = { type: "string" };

test("a hidden argument is neither a parameter nor required, and one with a default is optional", () => {
	const schema = {
		type: "object",
		properties: { city: text, region: text, unit: text },
		required: ["city", "region", "unit"],
		additionalProperties: false,
	};
	expect(modelParameters(schema, rules(["region"], ["unit"]))).toEqual({
		type: "object",
		properties: { city: text, unit: text },
		required: ["city"],
		additionalProperties: false,
	});
});

test("a schema without properties becomes an object without parameters", () => {
	expect(modelParameters({}, rules([]))).toEqual({ type: "object", properties: {} });
});

test("a tool whose arguments are all hidden has no parameters", () => {
	const schema = { type: "object", properties: { a: text }, required: ["a"] };
	expect(modelParameters(schema, rules(["a"]))).toEqual({ type: "object", properties: {} });
});

test("combinators, dependencies and counts forget a hidden argument too", () => {
	const schema = {
		type: "object",
		properties: { a: text, b: text, c: text },
		minProperties: 2,
		maxProperties: 3,
		anyOf: [{ required: ["a"] }, { required: ["b", "a"], properties: { a: { const: "x" } } }],
		dependentRequired: { b: ["a", "c"], a: ["b"] },
		if: { properties: { a: { const: "x" } } },
		// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
		then: { required: ["a", "c"] },
	};
	expect(modelParameters(schema, rules(["a"]))).toEqual({
		type: "object",
		properties: { b: text, c: text },
		minProperties: 1,
		maxProperties: 2,
		anyOf: [{}, { required: ["b"], properties: {} }],
		dependentRequired: { b: ["c"] },
		if: { properties: {} },
		// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
		then: { required: ["c"] },
	});
});

test("what the model gives for a hidden argument is dropped", () => {
	const attachment = {
		...{ kind: "tool", argumentOverrides: { account: "mine" } },
		runnable: { argumentDefaults: { key: "Bearer {{$KEY}}", unit: "metric" } },
	} as unknown as Parameters<typeof visibleArguments>[0];
	const given = { city: "Oslo", account: "yours", key: "guess", unit: "imperial" };
	expect(visibleArguments(attachment, given)).toEqual({ city: "Oslo", unit: "imperial" });
});

test("a nested object keeps properties of the same name", () => {
	const nested = { type: "object", properties: { a: text }, required: ["a"] };
	const schema = { type: "object", properties: { a: text, b: nested } };
	expect(modelParameters(schema, rules(["a"])).properties).toEqual({ b: nested });
});

const NAMES = ["a", "b", "c", "d"];
const anyObjectSchema = fc
	.record({
		required: fc.subarray(NAMES),
		optional: fc.subarray(NAMES),
		isClosed: fc.boolean(),
		minProperties: fc.integer({ min: 0, max: 2 }),
	})
	.map(({ required, optional, isClosed, minProperties }) => ({
		type: "object",
		properties: Object.fromEntries([...required, ...optional].map((name) => [name, text])),
		...{ required, minProperties },
		...(isClosed && { additionalProperties: false }),
	}));

test("whatever a model gives by its parameters is valid together with the hidden arguments", () => {
	fc.assert(
		fc.property(
			anyObjectSchema,
			fc.subarray(NAMES),
			fc.dictionary(fc.constantFrom(...NAMES), fc.constant("x")),
			(schema, wanted, given) => {
				const hidden = wanted.filter((name) => name in schema.properties);
				const parameters = modelParameters(schema, rules(hidden));
				expect(Object.keys(parameters.properties as object).some((name) => hidden.includes(name))).toBe(
					false,
				);
				const visible = Object.fromEntries(Object.entries(given).filter(([name]) => !hidden.includes(name)));
				if (validate(parameters, visible).length > 0) return;
				const complete = { ...visible, ...Object.fromEntries(hidden.map((name) => [name, "fixed"])) };
				expect(validate(schema, complete)).toEqual([]);
			},
		),
	);
});

import { type Schema, Validator } from "@cfworker/json-schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Budget, BudgetExceeded } from "./budget.ts";
import { findSchemaIssues } from "./schema-issues.ts";
import { validate } from "./validate.ts";

const name = fc.constantFrom("a", "b", "ab", "");
const count = fc.nat({ max: 3 });
const number = fc.constantFrom(-1, 0, 1, 2, 1.5, 3);
const text = fc.constantFrom("", "a", "ab", "😀", "2026-01-01", "a@b.c");
const type = fc.constantFrom("null", "boolean", "object", "array", "number", "string", "integer");

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
	value: fc.oneof(
		{ maxDepth: 3, depthSize: "small" },
		fc.constantFrom(null, true, false),
		number,
		text,
		fc.array(tie("value"), { maxLength: 3 }),
		fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
	),
}));

/** Schemas of a few keywords each. The reference has its own view of unevaluated members, which the tests cover elsewhere. */
const { schema } = fc.letrec<{ schema: Schema | boolean }>((tie) => {
	const one = tie("schema");
	const list = fc.array(one, { minLength: 1, maxLength: 3 });
	const named = fc.dictionary(name, one, { maxKeys: 3, noNullPrototype: true });
	const keywords = {
		type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 2 })),
		enum: fc.array(value, { minLength: 1, maxLength: 3 }),
		const: value,
		multipleOf: fc.constantFrom(1, 2, 0.5),
		...{ maximum: number, exclusiveMaximum: number, minimum: number, exclusiveMinimum: number },
		...{ maxLength: count, minLength: count, maxItems: count, minItems: count },
		...{ maxProperties: count, minProperties: count },
		pattern: fc.constantFrom("^a", "b$", "^.$", "[ab]{2}"),
		format: fc.constantFrom("date", "email"),
		uniqueItems: fc.boolean(),
		...{ prefixItems: list, items: one, contains: one },
		minContains: count,
		required: fc.uniqueArray(name, { maxLength: 2 }),
		dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), {
			maxKeys: 2,
			noNullPrototype: true,
		}),
		...{ properties: named, additionalProperties: one, propertyNames: one, dependentSchemas: named },
		patternProperties: fc.dictionary(fc.constantFrom("^a", "b$", ""), one, {
			maxKeys: 2,
			noNullPrototype: true,
		}),
		...{ allOf: list, anyOf: list, oneOf: list, not: one, if: one, else: one },
		// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
		then: one,
		$ref: fc.constantFrom("#/$defs/leaf", "#/$defs/list"),
	};
	const some = fc
		.uniqueArray(fc.constantFrom(...(Object.keys(keywords) as (keyof typeof keywords)[])), {
			minLength: 1,
			maxLength: 4,
		})
		.chain((names) =>
			fc.record(Object.fromEntries(names.map((each) => [each, keywords[each] as fc.Arbitrary<unknown>]))),
		);
	return { schema: fc.oneof({ maxDepth: 3, depthSize: "small", withCrossShrink: true }, fc.boolean(), some) };
});

const $defs = {
	leaf: { type: ["string", "integer"], minLength: 1 },
	list: { items: { $ref: "#/$defs/leaf" }, uniqueItems: true },
};

test("a validator of another author decides the same for any schema and value", () => {
	let matching = 0;
	fc.assert(
		fc.property(schema, value, (part, instance) => {
			const whole = { allOf: [part], $defs };
			fc.pre(findSchemaIssues(whole).length === 0);
			const expected = new Validator(structuredClone(whole) as Schema, "2020-12").validate(instance).valid;
			if (expected) matching++;
			expect(validate(whole, instance).length === 0).toBe(expected);
		}),
		{ numRuns: 5_000 },
	);
	expect(matching).toBeGreaterThan(500);
});

test("a check never takes more steps than its budget, nor changes its result with more of them", () => {
	fc.assert(
		fc.property(schema, value, fc.nat({ max: 300 }), (part, instance, steps) => {
			const whole = { allOf: [part], $defs };
			fc.pre(findSchemaIssues(whole).length === 0);
			const budget = new Budget();
			const isValid = validate(whole, instance, budget).length === 0;
			const again = new Budget();
			validate(whole, instance, again);
			expect(again.spent).toBe(budget.spent);
			try {
				expect(validate(whole, instance, new Budget(steps)).length === 0).toBe(isValid);
				if (isValid) expect(budget.spent).toBeLessThanOrEqual(steps);
			} catch (error) {
				if (!(error instanceof BudgetExceeded)) throw error;
				expect(budget.spent).toBeGreaterThan(steps);
			}
		}),
		{ numRuns: 2_000 },
	);
});

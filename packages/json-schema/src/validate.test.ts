import { describe, expect, test } from "vitest";
import { Budget, BudgetExceeded, MAX_STEPS } from "./budget.ts";
import { SchemaError, validate } from "./validate.ts";

/** The issues as a message by path. */
const issues = (schema: object, value: unknown) =>
	Object.fromEntries(validate(schema, value).map(({ path, message }) => [path.join("."), message]));

const numbers = (length: number) => Array.from({ length }, (_, n) => n);

describe("a value that does not match", () => {
	test.each<[object, unknown, string]>([
		[{ type: "string" }, 1, "Must be a string"],
		[{ type: ["integer", "null"] }, 1.5, "Must be a whole number or null"],
		[{ enum: ["a", 1, { b: 1 }] }, "b", 'Must be one of "a", 1, {…}'],
		[{ const: { a: [1, 2] } }, { a: [2, 1] }, "Must be {…}"],
		[{ const: "x" }, "y", 'Must be "x"'],
		[{ multipleOf: 0.01 }, 1.005, "Must be a multiple of 0.01"],
		[{ maximum: 3 }, 4, "Must be at most 3"],
		[{ exclusiveMinimum: 3 }, 3, "Must be more than 3"],
		[{ minLength: 1 }, "", "Must not be empty"],
		[{ minLength: 2 }, "😀", "Must have at least 2 characters"],
		[{ maxLength: 1 }, "ab", "Must have at most 1 character"],
		[{ pattern: "^a+$" }, "ab", "Must match the pattern ^a+$"],
		[{ format: "date" }, "2026-02-30", "Must be a date such as 2026-11-20"],
		[{ minItems: 2 }, [1], "Must have at least 2 items"],
		[{ maxItems: 0 }, [1], "Must have at most 0 items"],
		[{ uniqueItems: true }, [{ a: 1, b: 2 }, 3, { b: 2, a: 1 }], "Must have unique items: 0 and 2 are equal"],
		[{ contains: { type: "null" } }, [1], "Must have at least 1 matching item"],
		[{ contains: {}, maxContains: 1 }, [1, 2], "Must have at most 1 matching item"],
		[{ minProperties: 2 }, { a: 1 }, "Must have at least 2 properties"],
		[{ not: { type: "null" } }, null, "Must not match the schema of `not`"],
		[{ anyOf: [{ type: "string" }, { type: "null" }] }, 1, "Must match one of the allowed schemas"],
		[{ oneOf: [{ type: "integer" }, { minimum: 1 }] }, 2, "Must match only one of the allowed schemas"],
	])("%j says why for %j", (schema, value, message) => {
		expect(validate(schema, value)).toEqual([{ path: [], message }]);
	});

	test("has each issue named with its path", () => {
		const schema = {
			type: "object",
			properties: {
				name: { type: "string", minLength: 1, pattern: "^\\p{L}+$" },
				email: { type: "string", format: "email", pattern: "@example\\.com$" },
				home: { anyOf: [{ $ref: "#/$defs/Place" }, { type: "null" }] },
				"odd/na~me %41": { type: "integer" },
				rows: { items: { prefixItems: [{ type: "integer" }], items: false } },
			},
			patternProperties: { "^x-": { maxLength: 1 } },
			required: ["name"],
			dependentRequired: { email: ["phone"] },
			propertyNames: { maxLength: 20 },
			additionalProperties: false,
			$defs: { Place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
		};
		const value = {
			email: "a@b.com",
			home: { city: 5 },
			"odd/na~me %41": 1.5,
			rows: [[1], [2, 3]],
			"x-a": "ab",
			"x-long-name-of-a-property": 1,
			more: 1,
		};
		expect(issues(schema, value)).toEqual({
			name: "Is required",
			phone: 'Is required when "email" is present',
			email: "Must match the pattern @example\\.com$",
			"home.city": "Must be a string",
			"odd/na~me %41": "Must be a whole number",
			"rows.1.1": "Must not be present",
			"x-a": "Must have at most 1 character",
			"x-long-name-of-a-property": "The name must have at most 20 characters",
			more: "Unknown property",
		});
	});

	test("has a hundred issues named at most", () => {
		expect(validate({ items: { type: "string" } }, numbers(1_000))).toHaveLength(100);
	});

	test("is never quoted", () => {
		const secret = "hunter2";
		const schema = {
			type: "object",
			properties: { a: { enum: ["b"], pattern: "x", maxLength: 1, format: "date" } },
		};
		expect(JSON.stringify(validate(schema, { a: secret }))).not.toContain(secret);
	});

	test("is described by the only branch for values of its type", () => {
		const branch = {
			type: "object",
			properties: { n: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] } },
		};
		expect(issues({ oneOf: [{ type: "string" }, branch] }, { n: 0 })).toEqual({ n: "Must be at least 1" });
	});

	test("of the wrong type has only its type named", () => {
		expect(issues({ type: "string", enum: ["a"] }, 1)).toEqual({ "": "Must be a string" });
	});
});

describe("a value is checked by", () => {
	const accepts = (schema: object, value: unknown) => validate(schema, value).length === 0;

	test("the keywords that say what is unevaluated", () => {
		const base = {
			properties: { a: true },
			anyOf: [{ properties: { b: { const: 1 } }, required: ["b"] }, true],
		};
		const schema = { ...base, unevaluatedProperties: false };
		expect(accepts(schema, { a: 1, b: 1 })).toBe(true);
		expect(issues(schema, { a: 1, b: 2 })).toEqual({ b: "Unknown property" });
		expect(accepts({ allOf: [base], unevaluatedProperties: false }, { a: 1, b: 1 })).toBe(true);
		expect(accepts({ allOf: [schema], properties: { c: true } }, { c: 1 })).toBe(false);
		const items = { prefixItems: [true], contains: { type: "string" }, unevaluatedItems: { type: "null" } };
		expect(accepts(items, [1, "a", null, "b"])).toBe(true);
		expect(issues(items, [1, "a", 2])).toEqual({ 2: "Must be null" });
	});

	test("conditions, dependencies and names", () => {
		const schema = {
			if: { properties: { kind: { const: "a" } }, required: ["kind"] },
			// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
			then: { required: ["x"] },
			else: { required: ["y"] },
			dependentSchemas: { x: { maxProperties: 2 } },
		};
		expect(accepts(schema, { kind: "a", x: 1 })).toBe(true);
		expect(issues(schema, { kind: "b" })).toEqual({ y: "Is required" });
		expect(issues(schema, { kind: "a", x: 1, z: 1 })).toEqual({ "": "Must have at most 2 properties" });
	});

	test("equality of JSON, whatever the order of members", () => {
		const unique = { uniqueItems: true };
		expect(
			accepts(unique, [1, "1", true, "true", null, "null", [1], ["1"], { a: 1 }, { a: "1" }, "[1]"]),
		).toBe(true);
		expect(accepts(unique, [0, -0])).toBe(false);
		expect(accepts({ enum: [{ a: 1, b: [2] }] }, { b: [2], a: 1.0 })).toBe(true);
		expect(accepts({ const: [] }, {})).toBe(false);
	});

	test("members that are named like members of every object", () => {
		const schema = {
			properties: { constructor: { type: "string" } },
			required: ["toString"],
			additionalProperties: false,
		};
		expect(issues(schema, { valueOf: 1 })).toEqual({ toString: "Is required", valueOf: "Unknown property" });
	});

	test("data of the schema that looks like a schema stays data", () => {
		const data = { pattern: "(", $ref: "#/nowhere", type: 1 };
		expect(accepts({ const: data, default: data, examples: [data], "x-note": data }, data)).toBe(true);
	});
});

describe("a check that takes too many steps", () => {
	const doubled = (steps: number, leaf: object) => ({
		$ref: "#/$defs/d0",
		$defs: {
			...Object.fromEntries(
				numbers(steps).map((n) => {
					const next = { $ref: `#/$defs/d${n + 1}` };
					return [`d${n}`, { allOf: [next, next] }];
				}),
			),
			[`d${steps}`]: leaf,
		},
	});
	const members = (count: number) => Object.fromEntries(numbers(count).map((n) => [`k${n}`, 1]));
	const branch = { type: "object", properties: { next: { $ref: "#/$defs/n" } } };
	const deep = (depth: number, key: string) => {
		let value: object = {};
		for (let at = 0; at < depth; at++) value = { [key]: value };
		return value;
	};
	const text = (length: number, base: number) =>
		numbers(length)
			.map((n) => String.fromCodePoint(base + n))
			.join("");

	// Each of them took seconds, or no end, with a validator that compares, follows or lists without counting.
	const HOSTILE: [string, object, unknown][] = [
		["references that branch at each level", doubled(60, {}), {}],
		[
			"a union that branches at each level",
			{
				$ref: "#/$defs/n",
				$defs: { n: { oneOf: [branch, { ...branch, required: ["b"] }, { not: branch }] } },
			},
			deep(60, "next"),
		],
		[
			"many names of many members",
			{ propertyNames: { anyOf: numbers(500).map((n) => ({ const: `x${n}` })) } },
			members(60_000),
		],
		[
			"many patterns of many members",
			{ patternProperties: Object.fromEntries(numbers(800).map((n) => [`^[a-z]{${n % 40}}x${n}`, true])) },
			members(30_000),
		],
		[
			"required names of many rows",
			{ contains: { required: numbers(5_000).map((n) => `a${n}`) } },
			numbers(80_000).map(() => ({})),
		],
		[
			"dependencies of many rows",
			{ items: { dependentRequired: Object.fromEntries(numbers(3_000).map((n) => [`a${n}`, ["b"]])) } },
			numbers(80_000).map(() => ({})),
		],
		[
			"types of many items",
			{ items: { type: [...Array(6_000).fill("string"), "integer"] } },
			numbers(120_000),
		],
		[
			"many searches of one list",
			{ allOf: numbers(2_000).map(() => ({ contains: { const: -1 }, minContains: 0 })) },
			numbers(50_000),
		],
		[
			"a list that is compared again and again",
			doubled(14, { uniqueItems: true }),
			numbers(1_000).map((n) => ({ n, ...members(16) })),
		],
		["unique numbers", doubled(14, { uniqueItems: true }), numbers(50_000).map((n) => n + 0.123456789)],
		[
			"a long text that is measured again and again",
			doubled(14, { minLength: 200_000 }),
			"x".repeat(250_000),
		],
		["the format of a long text", doubled(14, { format: "uri-reference" }), "a".repeat(250_000)],
		["many members, listed again and again", doubled(14, { maxProperties: 1_000_000 }), members(20_000)],
		[
			"unevaluated members of nested unions",
			numbers(30).reduce<object>((inner) => ({ anyOf: [inner, inner], unevaluatedProperties: true }), {
				additionalProperties: true,
			}),
			members(5_000),
		],
		[
			"patterns whose automata explode",
			{ items: { pattern: "(a|b)*a(a|b){300}c" } },
			numbers(20).map((j) =>
				numbers(20_000)
					.map((n) => ((n * n + j * n) % 7 < 3 ? "a" : "b"))
					.join(""),
			),
		],
		[
			"classes of Unicode properties",
			{
				allOf: numbers(70).map((j) => ({
					pattern: numbers(60)
						.map((n) => `[\\p{L}\\p{Lu}${String.fromCodePoint(0x4000 + n + 60 * j)}]`)
						.join("|"),
				})),
			},
			"\u0001ж",
		],
		[
			"classes of many characters",
			{
				pattern: `^(${numbers(60)
					.map((n) => `[a-z${String.fromCodePoint(0x4000 + n)}]`)
					.join("|")})*$`,
			},
			text(40_000, 0x4e00),
		],
	];

	test.each(HOSTILE)("ends: %s", (_, schema, value) => {
		const budget = new Budget();
		const startedAt = performance.now();
		try {
			// Stops with the issues that it has, if there are any.
			expect(validate(schema, value, budget)).not.toEqual([]);
		} catch (error) {
			expect(error).toBeInstanceOf(BudgetExceeded);
		}
		expect(budget.spent).toBeGreaterThan(MAX_STEPS / 2);
		// 100 ms of CPU on a quiet machine.
		expect(performance.now() - startedAt).toBeLessThan(5_000);
	});

	test.each<[string, object, unknown]>([
		["schemas", { type: "object", additionalProperties: { $ref: "#" } }, deep(5_000, "a")],
		["compared values", { uniqueItems: true }, [deep(5_000, "a")]],
	])("ends when it enters more %s than the stack has room for", (_, schema, value) => {
		expect(() => validate(schema, value)).toThrow(
			expect.objectContaining({ name: "BudgetExceeded", message: "Is nested too deeply to check" }),
		);
	});

	test("says where it stopped", () => {
		const schema = { properties: { rows: { uniqueItems: true } } };
		const rows = numbers(200_000);
		expect(() => validate(schema, { rows })).toThrow(
			expect.objectContaining({
				path: ["rows"],
				message: "Takes more than 1000000 steps to check",
			}),
		);
	});

	test("reports the issues that it has found", () => {
		const schema = { properties: { a: { type: "string" }, rows: { uniqueItems: true } } };
		expect(issues(schema, { a: 1, rows: numbers(200_000) })).toEqual({ a: "Must be a string" });
	});
});

describe("an ordinary check fits into the budget", () => {
	const row = {
		type: "object",
		properties: { id: { type: "integer" }, name: { type: "string", maxLength: 9 } },
	};
	test.each<[string, object, unknown]>([
		["20,000 unique objects", { uniqueItems: true }, numbers(20_000).map((id) => ({ id }))],
		[
			"10,000 rows",
			{ items: { ...row, required: ["id", "name"], additionalProperties: false } },
			numbers(10_000).map((id) => ({ id, name: `n${id}` })),
		],
		[
			"20,000 members",
			{ additionalProperties: { type: "integer" } },
			Object.fromEntries(numbers(20_000).map((n) => [`k${n}`, n])),
		],
		["200,000 numbers", { items: { type: "integer" } }, numbers(200_000)],
		["1 MB of text", { pattern: "^[\\w\\s]+$", maxLength: 2_000_000 }, "word ".repeat(200_000)],
		[
			"20,000 addresses",
			{ items: { pattern: "^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$" } },
			numbers(20_000).map((n) => `ada${n}@example.org`),
		],
		[
			"a tree of 90 levels",
			{ properties: { children: { items: { $ref: "#" } } } },
			numbers(45).reduce<object>((child) => ({ children: [child] }), {}),
		],
	])("%s", (_, schema, value) => {
		expect(validate(schema, value)).toEqual([]);
	});
});

test.each<[string, object, unknown]>([
	["a pattern that cannot be used", { pattern: "(?=a)" }, "a"],
	["a reference that leads nowhere", { $ref: "#/$defs/none" }, 1],
	["a keyword with a wrong value", { items: { required: "a" } }, [{}]],
	["something else than a schema", { items: [1] }, [1]],
])("a schema with %s throws a SchemaError", (_, schema, value) => {
	expect(() => validate(schema, value)).toThrow(SchemaError);
});

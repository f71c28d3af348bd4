import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BadSchema } from "./bad-schema.ts";
import { compileCheck } from "./checker.ts";

const text = (more: object) =>
	compileCheck({ type: "object", properties: { a: { type: "string", ...more } } });
const TOO_MUCH = [{ path: "", message: "is too large or too deep to be checked" }];

const numbers = (length: number) => Array.from({ length }, (_, n) => n);

describe("hostile schemas and values cost little", () => {
	test("a pattern that backtracks without end is matched in linear time", () => {
		const check = text({ pattern: "^(a+)+$" });
		expect(check({ a: `${"a".repeat(50_000)}b` })).toEqual([
			{ path: "a", message: "does not match the pattern" },
		]);
		expect(check({ a: "aaa" })).toEqual([]);
	});
	test("a costly pattern on a long text is given up", () => {
		const check = text({ pattern: "(x{300}|y{300}|[a-w]{300})+z" });
		expect(check({ a: "xy".repeat(400_000) })).toEqual(TOO_MUCH);
	});
	test("references that branch at each level are given up", () => {
		const levels = Array.from({ length: 28 }, (_, n) => {
			const next = { $ref: `#/$defs/d${n + 1}` };
			return [`d${n}`, { allOf: [next, next] }] as const;
		});
		const check = compileCheck({ $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(levels), d28: {} } });
		expect(check({})).toEqual(TOO_MUCH);
	});
	test("a reference to itself is given up", () => {
		expect(compileCheck({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } })(1)).toEqual(TOO_MUCH);
	});
	test("a union that branches at each level of the value is given up", () => {
		const branch = { type: "object", properties: { next: { $ref: "#/$defs/n" } } };
		const check = compileCheck({
			$ref: "#/$defs/n",
			$defs: { n: { anyOf: [branch, { ...branch, required: ["b"] }] } },
		});
		let value: object = {};
		for (let depth = 0; depth < 60; depth++) value = { next: value };
		expect(check(value)).toEqual(TOO_MUCH);
	});
	test("a list of unique items is limited, other lists are not", () => {
		const numbers = Array.from({ length: 5_000 }, (_, n) => n);
		expect(compileCheck({ type: "array", items: { type: "integer" } })(numbers)).toEqual([]);
		expect(compileCheck({ type: "array", uniqueItems: true })(numbers)).toMatchObject([{ path: "" }]);
		expect(compileCheck({ type: "array", uniqueItems: true })(numbers.slice(0, 1_000))).toEqual([]);
	});
	const doubled = (steps: number, leaf: object) => ({
		allOf: [{ $ref: "#/$defs/d0" }],
		$defs: {
			...Object.fromEntries(
				Array.from({ length: steps }, (_, n) => {
					const next = { $ref: `#/$defs/d${n + 1}` };
					return [`d${n}`, { allOf: [next, next] }];
				}),
			),
			[`d${steps}`]: leaf,
		},
	});
	const within = (ms: number, work: () => unknown) => {
		const started = performance.now();
		const result = work();
		expect(performance.now() - started).toBeLessThan(ms);
		return result;
	};
	test.each([
		["the length of a long text", { minLength: 1 }, "x".repeat(250_000)],
		["the format of a long text", { format: "uri-reference" }, "a".repeat(250_000)],
		["the members of a large object", {}, Object.fromEntries(numbers(20_000).map((n) => [`k${n}`, 1]))],
		["the items of a long list", { unevaluatedItems: true }, numbers(20_000)],
	])("%s, looked at again and again, is given up", (_, leaf, value) => {
		expect(within(4_000, () => compileCheck(doubled(14, leaf))(value))).toEqual(TOO_MUCH);
	});
	test("a list of unique items that are large is given up", () => {
		const item = Object.fromEntries(numbers(16).map((n) => [`k${n}`, numbers(16)]));
		const items = numbers(1_000).map((n) => ({ ...item, z: n }));
		expect(within(4_000, () => compileCheck({ uniqueItems: true })(items))).toEqual(TOO_MUCH);
	});
	test("thousands of required names, of types and of dependencies cost by their number", () => {
		const names = numbers(5_000).map((n) => `a${n}`);
		const rows = Array.from({ length: 80_000 }, () => ({}));
		const any = { contains: { required: names } };
		expect(within(4_000, () => compileCheck(any)(rows))).toEqual(TOO_MUCH);
		const types = { items: { type: [...Array(6_000).fill("string"), "integer"] } };
		expect(within(4_000, () => compileCheck(types)(numbers(120_000)))).toEqual(TOO_MUCH);
		const missing = within(4_000, () => compileCheck({ items: { required: names } })(rows));
		expect(missing).toHaveLength(50);
	});
	test("a large value of an ordinary schema is checked", () => {
		const row = {
			type: "object",
			properties: { id: { type: "integer" }, name: { type: "string", maxLength: 9 } },
		};
		const table = compileCheck({ type: "array", items: { ...row, required: ["id", "name"] } });
		expect(table(numbers(10_000).map((id) => ({ id, name: `n${id}` })))).toEqual([]);
		const map = compileCheck({ type: "object", additionalProperties: { type: "integer" } });
		expect(map(Object.fromEntries(numbers(20_000).map((n) => [`k${n}`, n])))).toEqual([]);
	});
	test("very many faults are reported in part", () => {
		const check = compileCheck({ type: "array", items: { enum: ["x".repeat(2_000)] } });
		expect(check(Array.from({ length: 100_000 }, () => 1)).length).toBeLessThanOrEqual(50);
	});
});

describe("schemas that cannot be used", () => {
	test.each([
		["a look-ahead", { pattern: "(?=x)" }],
		["a back reference", { pattern: "(a)\\1" }],
		["half a pattern", { pattern: "(" }],
		["an exploding pattern", { pattern: "((a{100}){100}){100}" }],
		["a pattern of 2,000 characters", { pattern: "a".repeat(2_000) }],
		["patterns that are large together", { allOf: numbers(100).map((n) => ({ pattern: `${n}a{900}` })) }],
		["patternProperties", { patternProperties: { "(a+)+$": {} } }],
	])("%s", (_, more) => {
		expect(() => text(more)).toThrow(BadSchema);
	});
	test("a reference that leads nowhere", () => {
		expect(() => compileCheck({ $ref: "#/$defs/none" })(1)).toThrow(BadSchema);
	});
});

test("a length counts characters, and says what it should be", () => {
	const check = text({ minLength: 2, maxLength: 3 });
	expect([check({ a: "😀😀" }), check({ a: "😀😀😀" })]).toEqual([[], []]);
	expect(check({ a: "😀" })).toEqual([{ path: "a", message: "is shorter than 2 characters" }]);
	expect(check({ a: "four" })).toEqual([{ path: "a", message: "is longer than 3 characters" }]);
});

describe("values", () => {
	const check = compileCheck({
		type: "object",
		properties: {
			name: { type: "string", minLength: 1, pattern: "^\\p{L}+$" },
			email: { type: "string", format: "email", pattern: "@example\\.com$" },
			kind: { enum: ["a", "b"] },
			home: { anyOf: [{ $ref: "#/$defs/Place" }, { type: "null" }] },
			type: { const: "x" },
			"odd/na~me %41": { type: "integer" },
		},
		required: ["name"],
		additionalProperties: false,
		$defs: { Place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
	});
	test("that fit give nothing", () => {
		expect(check({ name: "Zoë", email: "a@example.com", kind: "a", home: null, type: "x" })).toEqual([]);
	});
	test("that do not fit give a path and a reason each", () => {
		const value = {
			email: "a@b.com",
			kind: "c",
			home: { city: 5 },
			type: "y",
			"odd/na~me %41": 1.5,
			more: 1,
		};
		expect(check(value)).toEqual([
			{ path: "name", message: "is required" },
			{ path: "email", message: "does not match the pattern" },
			{ path: "kind", message: 'does not match any of ["a","b"]' },
			{ path: "home.city", message: "must be string, not number" },
			{ path: "type", message: 'does not match "x"' },
			{ path: "odd/na~me %41", message: "must be integer, not number" },
			{ path: "more", message: "is not known" },
		]);
	});
	test("of any shape are judged without an exception, and a schema is left as it was", () => {
		const schema = {
			type: "object",
			properties: { a: { type: ["array", "string"], items: { type: "integer" } } },
		};
		const before = structuredClone(schema);
		const anyCheck = compileCheck(schema);
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
				if (!isObject) expect(anyCheck(value)).toHaveLength(1);
				else anyCheck(value);
			}),
		);
		expect(schema).toEqual(before);
	});
});

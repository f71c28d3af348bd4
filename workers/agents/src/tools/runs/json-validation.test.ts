import { describe, expect, test } from "vitest";
import { schemaFaults } from "./json-validation.ts";

const UNCHECKED = [{ path: [], message: "Cannot be checked against the schema" }];
const objectOf = (a: unknown, rest: object = {}) => ({ type: "object", properties: { a }, ...rest });

/** Each reference is followed twice, so that the last one is reached 2^levels times. */
function doubling(levels: number, a: (ref: object) => object): object {
	const ref = (level: number) => ({ $ref: `#/$defs/d${level}` });
	const $defs = Object.fromEntries(
		Array.from({ length: levels }, (_, i) => [`d${i}`, { allOf: [ref(i + 1), ref(i + 1)] }]),
	);
	return objectOf(a(ref(0)), { $defs: { ...$defs, [`d${levels}`]: {} } });
}

test("each fault is named with its place", () => {
	const schema = objectOf({ type: "string" }, { required: ["b"], additionalProperties: false });
	expect(schemaFaults(schema, { a: 1, "c/d%": 2 })).toEqual([
		{ path: ["b"], message: "Required" },
		{ path: ["a"], message: 'Instance type "number" is invalid. Expected "string".' },
		{ path: ["c/d%"], message: "Not allowed by the schema" },
	]);
});

test("of many faults a hundred are named", () => {
	const schema = objectOf({ items: { type: "string" } });
	expect(schemaFaults(schema, { a: Array(1000).fill(1) })).toHaveLength(100);
});

test("a long value that matches is checked to its end", () => {
	const schema = objectOf({ items: { type: "integer" } });
	const items = Array.from({ length: 200_000 }, (_, i) => i);
	expect(schemaFaults(schema, { a: items })).toEqual([]);
	expect(schemaFaults(schema, { a: [...items.slice(0, -1), "x"] })).toMatchObject([
		{ path: ["a", "199999"] },
	]);
});

describe("a value does not match when the check", () => {
	test("would follow references without end", () => {
		expect(
			schemaFaults(
				doubling(10, (ref) => ref),
				{ a: 1 },
			),
		).toEqual([]);
		expect(
			schemaFaults(
				doubling(60, (ref) => ref),
				{ a: 1 },
			),
		).toEqual(UNCHECKED);
	});

	test("would follow them where no schema is declared", () => {
		const annotated = JSON.parse(JSON.stringify(doubling(60, (ref) => ref)).replaceAll("$defs", "x"));
		expect(schemaFaults(annotated, { a: 1 })).toEqual(UNCHECKED);
	});

	test("finds more faults than there is room for", () => {
		const schema = objectOf({ items: { enum: Array.from({ length: 5000 }, (_, i) => `v${i}`) } });
		expect(schemaFaults(schema, { a: Array(200_000).fill(1) })).toEqual(UNCHECKED);
	});

	test("would compare each item of a long array with each other", () => {
		const schema = objectOf({ uniqueItems: true });
		expect(schemaFaults(schema, { a: Array.from({ length: 1000 }, (_, i) => i) })).toEqual([]);
		expect(schemaFaults(schema, { a: Array.from({ length: 300_000 }, (_, i) => i) })).toEqual(UNCHECKED);
	});

	test.each([
		["a keyword of another dialect", objectOf({ dependencies: { x: null } })],
		["a value in an enum", objectOf({ $ref: "#/$defs/e/enum/0" }, { $defs: { e: { enum: [{}] } } })],
		["a map of schemas", objectOf({ $ref: "#/properties" })],
	])("is led to %s", (_, schema) => {
		expect(schemaFaults(schema, { a: { x: 1 } })).toEqual(UNCHECKED);
	});
});

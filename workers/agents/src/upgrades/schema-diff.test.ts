import { canonicalJson } from "@parley/canonical/jcs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { schemaOf } from "../../test/published-tool.ts";
import { argumentSchema } from "../../test/upgrade-cases.ts";
import { diffSchemas, requiredOf, type SchemaDiff, withoutAnnotations } from "./schema-diff.ts";

type Json = Record<string, unknown>;
type Parameters = Map<string, { schema: unknown; required: boolean }>;

const EMPTY: SchemaDiff = { added: [], removed: [], renamed: {}, retyped: {} };
const text = { type: "string" };
const diff = (from: Record<string, Json>, to: Record<string, Json>) =>
	diffSchemas(schemaOf(from), schemaOf(to));

test("a parameter that only one schema has is added or removed, with its schema", () => {
	expect(diff({ a: text }, { "b!": { type: "integer" } })).toEqual({
		...EMPTY,
		added: [{ name: "b", required: true, schema: { type: "integer" } }],
		removed: [{ name: "a", schema: text }],
	});
});

test("a parameter of the same schema and description under another name was renamed", () => {
	const city = { type: "string", description: "Where" };
	expect(diff({ "city!": city, n: text }, { "town!": city, n: text })).toEqual({
		...EMPTY,
		renamed: { city: "town" },
	});
});

test("schemas of 64 KiB whose parameters all share a definition are compared in a moment", () => {
	const names = Array.from({ length: 250 }, (_, n) => `p${n}`);
	const schema = (value: string) => ({
		type: "object",
		properties: Object.fromEntries(names.map((name) => [name, { $ref: "#/$defs/large" }])),
		$defs: { large: { enum: Array.from({ length: 4_000 }, (_, n) => `${value}${n}`) } },
	});
	const startedAt = performance.now();
	const { retyped } = diffSchemas(schema("v"), schema("w"));
	expect(Object.keys(retyped)).toEqual(names);
	expect(performance.now() - startedAt).toBeLessThan(1_000);
});

test("two candidates on either side are not a renaming", () => {
	expect(diff({ a: text }, { b: text, c: text }).renamed).toEqual({});
	expect(diff({ a: text, b: text }, { c: text }).renamed).toEqual({});
	expect(diff({ a: text }, { "b!": text }).renamed).toEqual({});
});

test("a change of the valid values is a retyping, a change of the description is not", () => {
	const from = { type: "string", description: "x" };
	expect(diff({ a: from }, { a: { type: "string", description: "y", title: "A", default: "z" } })).toEqual(
		EMPTY,
	);
	expect(diff({ a: from }, { a: { type: "string", minLength: 2 } }).retyped).toEqual({
		a: {
			from,
			to: { type: "string", minLength: 2 },
			takesOtherValues: true,
			required: { from: false, to: false },
		},
	});
	expect(diff({ a: text }, { "a!": text }).retyped).toMatchObject({
		a: { takesOtherValues: false, required: { from: false, to: true } },
	});
});

test("a property named like an annotation and an enumerated value are not annotations", () => {
	const nested = (type: string) => ({ type: "object", properties: { description: { type } } });
	expect(Object.keys(diff({ a: nested("string") }, { a: nested("integer") }).retyped)).toEqual(["a"]);
	const oneOf = (title: string) => ({ enum: [{ title }] });
	expect(Object.keys(diff({ a: oneOf("x") }, { a: oneOf("y") }).retyped)).toEqual(["a"]);
});

test("a referenced schema counts as part of the parameter", () => {
	const schema = (type: string) => ({
		type: "object",
		properties: { a: { $ref: "#/$defs/Id" }, b: text },
		$defs: { Id: { type } },
	});
	expect(Object.keys(diffSchemas(schema("string"), schema("integer")).retyped)).toEqual(["a"]);
	expect(diffSchemas(schema("string"), schema("string"))).toEqual(EMPTY);
});

test("added, removed, renamed and retyped explain every difference", () => {
	fc.assert(
		fc.property(argumentSchema, argumentSchema, (from, to) => {
			expect(plain(explain(parameters(from), diffSchemas(from, to)))).toEqual(plain(parameters(to)));
		}),
	);
});

test("only actual differences are reported", () => {
	fc.assert(
		fc.property(argumentSchema, argumentSchema, (from, to) => {
			const { added, removed, renamed, retyped } = diffSchemas(from, to);
			const [before, after] = [parameters(from), parameters(to)];
			for (const { name } of added) expect([before.has(name), after.has(name)]).toEqual([false, true]);
			for (const { name } of removed) expect([before.has(name), after.has(name)]).toEqual([true, false]);
			for (const [old, name] of Object.entries(renamed)) expect(before.get(old)).toEqual(after.get(name));
			for (const name of Object.keys(retyped)) expect(before.get(name)).not.toEqual(after.get(name));
		}),
	);
});

test("a schema does not differ from itself", () => {
	fc.assert(
		fc.property(argumentSchema, (schema) => {
			expect(diffSchemas(schema, schema)).toEqual(EMPTY);
		}),
	);
});

/** Applies a diff to parameters. */
function explain(from: Parameters, { added, removed, renamed, retyped }: SchemaDiff): Parameters {
	const gone = new Set(removed.map(({ name }) => name));
	const moved = [...from].flatMap(([name, parameter]) => {
		if (gone.has(name)) return [];
		const change = retyped[name];
		const now = change ? { schema: change.to, required: change.required.to } : parameter;
		return [[renamed[name] ?? name, now] as const];
	});
	return new Map([...moved, ...added.map(({ name, ...parameter }) => [name, parameter] as const)]);
}

const parameters = (schema: Json): Parameters =>
	new Map(
		Object.entries(schema.properties as Json).map(([name, own]) => [
			name,
			{ schema: own, required: requiredOf(schema).includes(name) },
		]),
	);

const plain = (parameters: Parameters) =>
	Object.fromEntries(
		[...parameters].map(([name, { schema, required }]) => [
			name,
			canonicalJson([withoutAnnotations(schema), required]),
		]),
	);

import { canonicalJson } from "@parley/canonical/jcs";
import { isObject, parametersOf } from "../agents/override-rules.ts";

type Json = Record<string, unknown>;
type Retyped = {
	from: unknown;
	to: unknown;
	takesOtherValues: boolean;
	required: { from: boolean; to: boolean };
};

/** What became of the parameters between two arguments schemas. */
export type SchemaDiff = {
	added: { name: string; required: boolean; schema: unknown }[];
	removed: { name: string; schema: unknown }[];
	/** Old name to new name. */
	renamed: Record<string, string>;
	/** Same name, but other values are valid, or it became required or optional. */
	retyped: Record<string, Retyped>;
};

type Parameter = { name: string; required: boolean; schema: unknown; full: string; shape: string };

/** Keywords that tell people something and change nothing about what is valid. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated", "$comment"]);
/** Members whose keys are names that somebody chose, not keywords. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
/** Members that are values, not schemas. */
const LITERAL = new Set(["enum", "const"]);

export function diffSchemas(from: Json, to: Json): SchemaDiff {
	const before = parameters(from);
	const after = parameters(to);
	const gone = [...before.values()].filter(({ name }) => !after.has(name));
	const come = [...after.values()].filter(({ name }) => !before.has(name));
	const renamed = renames(gone, come);
	const newNames = new Set(renamed.values());
	return {
		added: come
			.filter(({ name }) => !newNames.has(name))
			.map(({ name, required, schema }) => ({ name, required, schema })),
		removed: gone.filter(({ name }) => !renamed.has(name)).map(({ name, schema }) => ({ name, schema })),
		renamed: Object.fromEntries(renamed),
		retyped: Object.fromEntries([...before.values()].flatMap((old) => retyping(old, after.get(old.name)))),
	};
}

/** A parameter was renamed when exactly one that went equals exactly one that came in schema, description and need. */
function renames(gone: Parameter[], come: Parameter[]): Map<string, string> {
	const byFull = (list: Parameter[]) => Map.groupBy(list, ({ full }) => full);
	const candidates = byFull(come);
	return new Map(
		[...byFull(gone)].flatMap(([full, [old, ...others]]) => {
			const [next, ...more] = candidates.get(full) ?? [];
			return old && next && others.length + more.length === 0 ? [[old.name, next.name] as const] : [];
		}),
	);
}

function retyping(old: Parameter, next: Parameter | undefined): [string, Retyped][] {
	if (!next) return [];
	const takesOtherValues = old.shape !== next.shape;
	if (!takesOtherValues && old.required === next.required) return [];
	const required = { from: old.required, to: next.required };
	return [[old.name, { from: old.schema, to: next.schema, takesOtherValues, required }]];
}

/** The names that a schema requires. */
export const requiredOf = (schema: Json): string[] =>
	Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];

function parameters(schema: Json): Map<string, Parameter> {
	const needed = requiredOf(schema);
	return new Map(
		Object.entries(parametersOf(schema)).map(([name, own]) => {
			const required = needed.includes(name);
			const whole = [own, referredTo(schema, own)];
			const full = canonicalJson([whole, required]);
			return [name, { name, required, schema: own, full, shape: canonicalJson(withoutAnnotations(whole)) }];
		}),
	);
}

/** The part of the schema that a parameter's references may lead to: what is there decides what is valid, too. */
function referredTo(schema: Json, parameter: unknown): unknown {
	const references = [...canonicalJson(parameter).matchAll(/"\$(?:ref|dynamicRef)":"([^"]*)"/g)];
	if (references.length === 0) return null;
	const { $defs = null, definitions = null } = schema;
	const toDefinitions = references.every(([, target]) => /^#\/(\$defs|definitions)\//.test(target ?? ""));
	return toDefinitions && !canonicalJson([$defs, definitions]).includes('"#/properties')
		? [$defs, definitions]
		: schema;
}

/** A schema without its annotations. */
export function withoutAnnotations(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withoutAnnotations);
	if (!isObject(schema)) return schema;
	return mapEntries(schema, (key, value) => {
		if (ANNOTATIONS.has(key)) return undefined;
		if (LITERAL.has(key)) return value;
		return NAMED.has(key) && isObject(value)
			? mapEntries(value, (_, named) => withoutAnnotations(named))
			: withoutAnnotations(value);
	});
}

const mapEntries = (value: Json, map: (key: string, member: unknown) => unknown): Json =>
	Object.fromEntries(Object.entries(value).map(([key, member]) => [key, map(key, member)]));

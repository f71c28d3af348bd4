import { canonicalJson } from "@parley/canonical/jcs";
import { KEYWORDS } from "@parley/json-schema/keywords";
import { isObject, parametersOf } from "../agents/attachments/override-rules.ts";

type Json = Record<string, unknown>;
type Retyped = {
	from: unknown;
	to: unknown;
	takesOtherValues: boolean;
	required: { from: boolean; to: boolean };
};

/** Differences between the parameters of two argument schemas. */
export type SchemaDiff = {
	added: { name: string; required: boolean; schema: unknown }[];
	removed: { name: string; schema: unknown }[];
	/** Old name to new name. */
	renamed: Record<string, string>;
	/** Same name, but other values are valid, or it became required or optional. */
	retyped: Record<string, Retyped>;
};

type Parameter = { name: string; required: boolean; schema: unknown; full: string; shape: string };

/** Keywords that do not affect validation. */
const ANNOTATIONS = new Set(["title", "description", "default", "examples", "deprecated", "$comment"]);
/** Returns true if the keys of a keyword's value are names chosen by the author, not keywords. */
const holdsNamedSchemas = (keyword: string): boolean =>
	keyword === "definitions" || KEYWORDS.get(keyword)?.holds === "named";
/** Keywords whose values are data, not schemas. */
const VALUE_KEYWORDS = new Set(["enum", "const"]);

/** Compares the parameters of two argument schemas. */
export function diffSchemas(from: Json, to: Json): SchemaDiff {
	const idOf = createTextIds();
	const before = parameters(from, idOf);
	const after = parameters(to, idOf);
	const onlyBefore = [...before.values()].filter(({ name }) => !after.has(name));
	const onlyAfter = [...after.values()].filter(({ name }) => !before.has(name));
	const renamed = findRenames(onlyBefore, onlyAfter);
	const newNames = new Set(renamed.values());
	return {
		added: onlyAfter
			.filter(({ name }) => !newNames.has(name))
			.map(({ name, required, schema }) => ({ name, required, schema })),
		removed: onlyBefore
			.filter(({ name }) => !renamed.has(name))
			.map(({ name, schema }) => ({ name, schema })),
		renamed: Object.fromEntries(renamed),
		retyped: Object.fromEntries(
			[...before.values()].flatMap((old) => findRetyping(old, after.get(old.name))),
		),
	};
}

/** Finds renamed parameters: exactly one removed and one added parameter that agree in schema, description and `required`. */
function findRenames(onlyBefore: Parameter[], onlyAfter: Parameter[]): Map<string, string> {
	const byFull = (list: Parameter[]) => Map.groupBy(list, ({ full }) => full);
	const candidates = byFull(onlyAfter);
	return new Map(
		[...byFull(onlyBefore)].flatMap(([full, [old, ...others]]) => {
			const [next, ...more] = candidates.get(full) ?? [];
			return old && next && others.length + more.length === 0 ? [[old.name, next.name] as const] : [];
		}),
	);
}

function findRetyping(old: Parameter, next: Parameter | undefined): [string, Retyped][] {
	if (!next) return [];
	const takesOtherValues = old.shape !== next.shape;
	if (!takesOtherValues && old.required === next.required) return [];
	const required = { from: old.required, to: next.required };
	return [[old.name, { from: old.schema, to: next.schema, takesOtherValues, required }]];
}

/** Returns the names that a schema requires. */
export const requiredOf = (schema: Json): string[] =>
	Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];

function parameters(schema: Json, idOf: (text: string) => number): Map<string, Parameter> {
	const needed = new Set(requiredOf(schema));
	const referred = referredParts(schema, idOf);
	return new Map(
		Object.entries(parametersOf(schema)).map(([name, own]) => {
			const required = needed.has(name);
			const text = canonicalJson(own);
			const part = referred(text);
			const full = canonicalJson([text, part?.full ?? null, required]);
			const shape = canonicalJson([canonicalJson(withoutAnnotations(own)), part?.shape ?? null]);
			return [name, { name, required, schema: own, full, shape }];
		}),
	);
}

/** Returns a function that numbers distinct texts, so that large ones are compared only once. */
function createTextIds(): (text: string) => number {
	const ids = new Map<string, number>();
	return (text) => {
		const id = ids.get(text) ?? ids.size;
		ids.set(text, id);
		return id;
	};
}

type ReferredPart = { full: number; shape: number };

/**
 * Returns a function that identifies the part of a schema that a parameter's references may lead to, because that part also
 * affects validation. Parameters share these parts, so each is serialized once.
 */
function referredParts(schema: Json, idOf: (text: string) => number) {
	const { $defs = null, definitions = null } = schema;
	const partOf = (content: unknown): ReferredPart => ({
		full: idOf(canonicalJson(content)),
		shape: idOf(canonicalJson(withoutAnnotations(content))),
	});
	const isClosed = !canonicalJson([$defs, definitions]).includes('"#/properties');
	let ofDefinitions: ReferredPart | undefined;
	let ofSchema: ReferredPart | undefined;
	return (parameter: string): ReferredPart | null => {
		const references = [...parameter.matchAll(/"\$(?:ref|dynamicRef)":"([^"]*)"/g)];
		if (references.length === 0) return null;
		const toDefinitions = references.every(([, target]) => /^#\/(\$defs|definitions)\//.test(target ?? ""));
		if (toDefinitions && isClosed) {
			ofDefinitions ??= partOf([$defs, definitions]);
			return ofDefinitions;
		}
		ofSchema ??= partOf(schema);
		return ofSchema;
	};
}

/** Returns a schema without its annotations. */
export function withoutAnnotations(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withoutAnnotations);
	if (!isObject(schema)) return schema;
	return mapEntries(schema, (key, value) => {
		if (ANNOTATIONS.has(key)) return undefined;
		if (VALUE_KEYWORDS.has(key)) return value;
		return holdsNamedSchemas(key) && isObject(value)
			? mapEntries(value, (_, named) => withoutAnnotations(named))
			: withoutAnnotations(value);
	});
}

const mapEntries = (value: Json, map: (key: string, member: unknown) => unknown): Json =>
	Object.fromEntries(Object.entries(value).map(([key, member]) => [key, map(key, member)]));

import { isJsonObject, type JsonObject } from "./json.ts";
import { resolvePointer, tokensOf } from "./json-pointer.ts";
import { isSchema, KEYWORDS, visitSubschemas } from "./keywords.ts";
import { CharClasses } from "./patterns/char-class.ts";
import { Pattern } from "./patterns/pattern.ts";
import { countUnicodeProperties, PatternError } from "./patterns/pattern-syntax.ts";

/**
 * Largest schema that Parley accepts. All its patterns together compile to at most so many states, and name at most so many
 * Unicode properties such as `\\p{L}`.
 */
export const SCHEMA_LIMITS = {
	bytes: 64 * 1024,
	depth: 32,
	properties: 256,
	patternStates: 20_000,
	unicodeProperties: 100,
} as const;

const MAX_ISSUES = 100;

/** Fault of a schema. `limit` names the limit that it exceeds. */
export type SchemaIssue = { path: PropertyKey[]; message: string; limit?: keyof typeof SCHEMA_LIMITS };

/** A schema within the root. `keys` lead to it from the schema `parent`. */
type Place = { schema: unknown; parent: Place | undefined; keys: PropertyKey[]; depth: number };

/**
 * Returns what keeps a JSON value from being a JSON Schema 2020-12 that Parley can check values against, empty when nothing
 * does, the first 100: keywords with values of another form, references that lead outside or in a loop, and what exceeds SCHEMA_LIMITS.
 * Takes time proportional to the size of the schema, up to the limits.
 */
export function findSchemaIssues(root: JsonObject): SchemaIssue[] {
	const { bytes, depth: maxDepth, properties: maxProperties } = SCHEMA_LIMITS;
	if (sizeOf(root) > bytes)
		return [{ path: [], message: `Must have at most ${bytes / 1024} KiB as JSON`, limit: "bytes" }];
	const issues: SchemaIssue[] = [];
	const patterns = new PatternCheck();
	const schemas: JsonObject[] = [];
	let properties = 0;
	for (const place of placesOf(root)) {
		const { schema, depth } = place;
		if (issues.length >= MAX_ISSUES) return issues.slice(0, MAX_ISSUES);
		if (depth > maxDepth)
			return [
				{
					path: pathOf(place),
					message: `Must not be nested deeper than ${maxDepth} schemas`,
					limit: "depth",
				},
			];
		if (typeof schema === "boolean") continue;
		if (!isJsonObject(schema)) {
			issues.push({ path: pathOf(place), message: "Must be a schema: an object, true or false" });
			continue;
		}
		schemas.push(schema);
		properties += isJsonObject(schema.properties) ? Object.keys(schema.properties).length : 0;
		if (properties > maxProperties)
			return [
				{ path: [], message: `Must have at most ${maxProperties} properties in all`, limit: "properties" },
			];
		for (const issue of keywordIssues(schema, root, patterns))
			issues.push({ ...issue, path: [...pathOf(place), ...issue.path] });
	}
	if (issues.length === 0 && hasLoop(schemas, root))
		return [{ path: [], message: "Must not have a $ref that leads back to itself for the same value" }];
	return issues;
}

/** Yields each place of a schema once: first those that keywords hold, then those that only references lead to. */
function* placesOf(root: JsonObject): Generator<Place> {
	const visited = new Set<unknown>();
	const refs = new Set(["#"]);
	for (const ref of refs) {
		const keys = tokensOf(ref).map(String);
		const places: Place[] = [{ schema: resolvePointer(root, ref), parent: undefined, keys, depth: 1 }];
		for (const place of places) {
			const { schema, depth } = place;
			if (visited.has(schema)) continue;
			yield place;
			if (!isJsonObject(schema)) continue;
			visited.add(schema);
			if (typeof schema.$ref === "string" && isSchema(resolvePointer(root, schema.$ref)))
				refs.add(schema.$ref);
			visitSubschemas(schema, (inner, keyword, key) => {
				const innerKeys = key === undefined ? [keyword] : [keyword, key];
				places.push({ schema: inner, parent: place, keys: innerKeys, depth: depth + 1 });
			});
		}
	}
}

const pathOf = ({ parent, keys }: Place): PropertyKey[] => (parent ? [...pathOf(parent), ...keys] : keys);

/** The size as JSON in bytes of UTF-8; infinite for what is nested too deep to be written. */
function sizeOf(root: JsonObject): number {
	try {
		return new TextEncoder().encode(JSON.stringify(root)).byteLength;
	} catch {
		return Number.POSITIVE_INFINITY;
	}
}

function keywordIssues(schema: JsonObject, root: JsonObject, patterns: PatternCheck): SchemaIssue[] {
	const issues: SchemaIssue[] = [];
	for (const keyword of Object.keys(schema)) {
		const value = schema[keyword];
		const message = KEYWORDS.get(keyword)?.issue?.(value);
		if (message !== undefined) issues.push({ path: [keyword], message });
		else if (keyword === "$ref" && !isSchema(resolvePointer(root, value as string)))
			issues.push({ path: [keyword], message: "Must lead to a schema" });
		else if (keyword === "pattern") issues.push(...patterns.issuesOf([keyword], value as string));
		else if (keyword === "patternProperties")
			for (const source of Object.keys(value as JsonObject))
				issues.push(...patterns.issuesOf([keyword, source], source));
	}
	return issues;
}

class PatternCheck {
	readonly #known = new Map<string, Omit<SchemaIssue, "path"> | undefined>();
	readonly #charClasses = new CharClasses();
	#states = 0;
	#unicodeProperties = 0;

	issuesOf(path: PropertyKey[], source: string): SchemaIssue[] {
		if (!this.#known.has(source)) this.#known.set(source, this.#compile(source));
		const issue = this.#known.get(source);
		return issue ? [{ ...issue, path }] : [];
	}

	#compile(source: string): Omit<SchemaIssue, "path"> | undefined {
		const { patternStates, unicodeProperties } = SCHEMA_LIMITS;
		this.#unicodeProperties += countUnicodeProperties(source);
		if (this.#unicodeProperties > unicodeProperties)
			return {
				message: `Must name fewer Unicode properties: the patterns of a schema have at most ${unicodeProperties} in all`,
				limit: "unicodeProperties",
			};
		try {
			if (this.#states <= patternStates) this.#states += new Pattern(source, this.#charClasses).size;
		} catch (error) {
			if (!(error instanceof PatternError)) throw error;
			return { message: error.message };
		}
		if (this.#states <= patternStates) return undefined;
		return {
			message: `Must repeat less: the patterns of a schema compile to at most ${patternStates} states in all`,
			limit: "patternStates",
		};
	}
}

/** Returns whether `$ref` and keywords that apply in place lead from a schema back to itself. */
function hasLoop(schemas: JsonObject[], root: JsonObject): boolean {
	const finished = new Set<JsonObject>();
	const open = new Set<JsonObject>();
	const stack: { schema: JsonObject; inner: JsonObject[] }[] = [];
	const enter = (schema: JsonObject): void => {
		const inner = appliedInPlace(schema, root);
		if (inner.length === 0) {
			finished.add(schema);
			return;
		}
		open.add(schema);
		stack.push({ schema, inner });
	};
	for (const start of schemas) {
		if (!finished.has(start)) enter(start);
		for (let top = stack.at(-1); top; top = stack.at(-1)) {
			const next = top.inner.pop();
			if (next === undefined) {
				open.delete(top.schema);
				finished.add(top.schema);
				stack.pop();
			} else if (open.has(next)) return true;
			else if (!finished.has(next)) enter(next);
		}
	}
	return false;
}

function appliedInPlace(schema: JsonObject, root: JsonObject): JsonObject[] {
	const applied: unknown[] = [];
	if (typeof schema.$ref === "string") applied.push(resolvePointer(root, schema.$ref));
	visitSubschemas(schema, (inner, keyword) => {
		if (KEYWORDS.get(keyword)?.isInPlace) applied.push(inner);
	});
	return applied.filter(isJsonObject);
}

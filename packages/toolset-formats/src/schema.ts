/** JSON Schema (draft 2020-12) as an object. */
export type Schema = { [keyword: string]: unknown };

/** Tool as its model should know it. `parameters` describes an object. */
export type ToolDefinition = { name: string; description: string; parameters: Schema };

/** Result of formatting one tool. `tool` is undefined when the vendor could not call it. */
export type FormattedTool<T> = { tool: T | undefined; warnings: string[] };

export const isSchema = (value: unknown): value is Schema =>
	typeof value === "object" && value !== null && !Array.isArray(value);

/** Keywords whose value is one schema. */
const SCHEMA_KEYWORDS: readonly string[] = [
	"additionalItems",
	"additionalProperties",
	"contains",
	"contentSchema",
	"else",
	"if",
	"items",
	"not",
	"propertyNames",
	"then",
	"unevaluatedItems",
	"unevaluatedProperties",
];
/** Keywords whose value is a list of schemas. */
const LIST_KEYWORDS: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/** Keywords whose value maps names to schemas. */
const MAP_KEYWORDS: readonly string[] = [
	"$defs",
	"definitions",
	"dependentSchemas",
	"patternProperties",
	"properties",
];

/** Returns the schemas directly inside a schema, with the path of each. Values of `enum`, `const` and `default` are not schemas. */
export function childSchemas(schema: Schema): { path: string; schema: Schema }[] {
	const found: { path: string; schema: Schema }[] = [];
	const add = (path: string, value: unknown) => {
		if (isSchema(value)) found.push({ path, schema: value });
	};
	for (const keyword of SCHEMA_KEYWORDS) add(keyword, schema[keyword]);
	for (const keyword of LIST_KEYWORDS) {
		const list = schema[keyword];
		if (Array.isArray(list)) for (const [index, child] of list.entries()) add(`${keyword}.${index}`, child);
	}
	for (const keyword of MAP_KEYWORDS) {
		const map = schema[keyword];
		if (isSchema(map)) for (const [name, child] of Object.entries(map)) add(`${keyword}.${name}`, child);
	}
	return found;
}

/** Applies a function to a schema and to all schemas in it, the inner ones first. Keywords that become undefined are left out. */
export function mapSchemas(schema: Schema, change: (schema: Schema) => Schema): Schema {
	const map = (value: unknown) => (isSchema(value) ? mapSchemas(value, change) : value);
	const entries = Object.entries(schema).map(([keyword, value]) => {
		if (Array.isArray(value) && (keyword === "items" || LIST_KEYWORDS.includes(keyword)))
			return [keyword, value.map(map)];
		if (SCHEMA_KEYWORDS.includes(keyword)) return [keyword, map(value)];
		if (!MAP_KEYWORDS.includes(keyword) || !isSchema(value)) return [keyword, value];
		return [keyword, Object.fromEntries(Object.entries(value).map(([name, child]) => [name, map(child)]))];
	});
	const changed = change(Object.fromEntries(entries));
	return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
}

/** Returns a schema without some of its own keywords. */
export const omit = (schema: Schema, keywords: Iterable<string>): Schema => {
	const omitted = new Set(keywords);
	return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !omitted.has(keyword)));
};

/** Returns the properties of an object schema. */
export const propertiesOf = (schema: Schema): Schema =>
	isSchema(schema.properties) ? schema.properties : {};

/** Returns the names that an object schema requires. */
export const requiredOf = (schema: Schema): string[] =>
	Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === "string") : [];

/** Resolves a reference inside the document, such as `#/$defs/Address`. Returns undefined for any other. */
export function resolveReference(root: Schema, reference: unknown): Schema | undefined {
	if (reference === "#") return root;
	if (typeof reference !== "string" || !reference.startsWith("#/")) return undefined;
	let at: unknown = root;
	for (const step of reference.slice(2).split("/")) {
		const name = decodePointer(step);
		if (name === undefined || typeof at !== "object" || at === null || !Object.hasOwn(at, name))
			return undefined;
		at = (at as Schema)[name];
	}
	return isSchema(at) ? at : undefined;
}

function decodePointer(step: string): string | undefined {
	try {
		return decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
	} catch {
		return undefined;
	}
}

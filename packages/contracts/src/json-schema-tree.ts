export type Subschema = { schema: unknown; path: PropertyKey[]; depth: number };

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE = ["additionalProperties", "propertyNames", "unevaluatedProperties", "items", "contains"].concat([
	"unevaluatedItems",
	"not",
	"if",
	"then",
	"else",
]);
const LIST = ["prefixItems", "allOf", "anyOf", "oneOf"];
const NAMED = ["properties", "patternProperties", "dependentSchemas", "$defs"];

/** Those of them that judge the same value as the schema they stand in. */
const IN_PLACE = new Set(["not", "if", "then", "else", "allOf", "anyOf", "oneOf", "dependentSchemas"]);

/** The schemas directly within a schema. A list or map of the wrong form holds none. */
export function subschemasOf(schema: object, path: PropertyKey[], depth: number): Subschema[] {
	return Object.entries(schema).flatMap(([keyword, value]) => {
		const at = [...path, keyword];
		if (ONE.includes(keyword)) return [{ schema: value, path: at, depth }];
		if (LIST.includes(keyword) && Array.isArray(value))
			return value.map((item, index) => ({ schema: item as unknown, path: [...at, index], depth }));
		if (NAMED.includes(keyword) && isObject(value))
			return Object.entries(value).map(([name, item]) => ({ schema: item, path: [...at, name], depth }));
		return [];
	});
}

/** What a local reference such as `#/$defs/name` points to (RFC 6901, URI fragment form); undefined when nothing. */
export function resolvePointer(root: object, ref: string): object | boolean | undefined {
	let value: unknown = root;
	for (const token of ref.split("/").slice(1)) {
		const key = decodeToken(token);
		if (key === undefined || typeof value !== "object" || value === null || !Object.hasOwn(value, key))
			return undefined;
		value = (value as Record<string, unknown>)[key];
	}
	return isObject(value) || typeof value === "boolean" ? value : undefined;
}

/** Whether following `$ref` and the in-place keywords can come back to a schema without entering the value. */
export function findLoop(root: object): boolean {
	const done = new Set<object>();
	const onPath = new Set<object>();
	const visit = (schema: object): boolean => {
		if (onPath.has(schema)) return true;
		if (done.has(schema)) return false;
		onPath.add(schema);
		const loops = inPlace(schema, root).some(visit);
		onPath.delete(schema);
		done.add(schema);
		return loops;
	};
	const queue: unknown[] = [root];
	for (const schema of queue) {
		if (!isObject(schema)) continue;
		if (visit(schema)) return true;
		queue.push(...subschemasOf(schema, [], 0).map((child) => child.schema));
	}
	return false;
}

function inPlace(schema: object, root: object): object[] {
	const target = "$ref" in schema ? resolvePointer(root, String(schema.$ref)) : undefined;
	const children = subschemasOf(schema, [], 0).filter(({ path }) => IN_PLACE.has(String(path[0])));
	return [target, ...children.map((child) => child.schema)].filter(isObject);
}

function decodeToken(token: string): string | undefined {
	try {
		return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
	} catch {
		return undefined;
	}
}

const isObject = (value: unknown): value is object =>
	typeof value === "object" && value !== null && !Array.isArray(value);

import { resolvePointer } from "@parley/contracts/json-schema-tree";

const MAX_DEPTH = 128;

type Form = (value: unknown) => boolean;

const TYPES: readonly unknown[] = ["null", "boolean", "object", "array", "number", "string", "integer"];
const isType: Form = (value) => TYPES.includes(value);
const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isMap = (value: unknown): value is object =>
	typeof value === "object" && value !== null && !isList(value);
const isText: Form = (value) => typeof value === "string";
const isNumber: Form = (value) => typeof value === "number";
const isCount: Form = (value) => Number.isInteger(value) && Number(value) >= 0;
const isListOfNames: Form = (value) => isList(value) && value.every(isText);
/** Draft 4 has these as booleans. */
const isBound: Form = (value) => isNumber(value) || typeof value === "boolean";

/** The forms of keywords that hold no schemas, as all drafts since 4 agree on them. */
const FORMS: ReadonlyMap<string, Form> = new Map(
	Object.entries<Form>({
		type: (value) => isType(value) || (isList(value) && value.length > 0 && value.every(isType)),
		required: isListOfNames,
		dependentRequired: (value) => isMap(value) && Object.values(value).every(isListOfNames),
		...{ enum: isList, $ref: isText, pattern: isText, format: isText },
		uniqueItems: (value) => typeof value === "boolean",
		...{ minimum: isNumber, maximum: isNumber, exclusiveMinimum: isBound, exclusiveMaximum: isBound },
		multipleOf: (value) => typeof value === "number" && value > 0,
		...{ minLength: isCount, maxLength: isCount, minItems: isCount, maxItems: isCount },
		...{ minContains: isCount, maxContains: isCount, minProperties: isCount, maxProperties: isCount },
	}),
);

/** Keywords that hold one schema, a list of schemas, or schemas by name; `items` holds one or, before 2020-12, a list. */
const ONE = new Set(
	["additionalProperties", "unevaluatedProperties", "propertyNames", "additionalItems", "items"].concat([
		"unevaluatedItems",
		"contains",
		"not",
		"if",
		"then",
		"else",
	]),
);
const LISTS = new Set(["prefixItems", "allOf", "anyOf", "oneOf"]);
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** Members of a schema that hold data, where a `$ref` is no reference. */
const DATA = new Set(["default", "const", "enum", "examples", "example"]);

/**
 * What makes a server's JSON Schema unusable, of whatever draft; undefined when nothing does. References to other documents
 * are left as they are: nothing is ever fetched for them. Takes time in proportion to the schema.
 */
export function schemaFault(schema: object): string | undefined {
	const refs: string[] = [];
	const stack: { value: unknown; depth: number }[] = [{ value: schema, depth: 1 }];
	for (let at = stack.pop(); at; at = stack.pop()) {
		if (typeof at.value !== "object" || at.value === null) continue;
		if (at.depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
		for (const [key, value] of Object.entries(at.value)) {
			if (key === "$ref" && typeof value === "string") refs.push(value);
			else if (!DATA.has(key)) stack.push({ value, depth: at.depth + 1 });
		}
	}
	const lost = refs.find((ref) => /^#(\/|$)/.test(ref) && resolvePointer(schema, ref) === undefined);
	if (lost !== undefined) return `${lost} leads nowhere`;
	const place = misshapenPlace(schema);
	return place && `${place} is not of the form that JSON Schema gives it`;
}

type Place = { value: unknown; path: string };

function misshapenPlace(root: object): string | undefined {
	const stack: Place[] = [{ value: root, path: "#" }];
	for (let at = stack.pop(); at; at = stack.pop()) {
		if (typeof at.value === "boolean") continue;
		if (!isMap(at.value)) return at.path;
		for (const [keyword, value] of Object.entries(at.value)) {
			const path = `${at.path}/${keyword}`;
			const found = FORMS.get(keyword)?.(value) === false ? undefined : schemasIn(keyword, value, path);
			if (!found) return path;
			for (const place of found) stack.push(place);
		}
	}
	return undefined;
}

/** The schemas that a keyword holds; undefined when it holds something else. */
function schemasIn(keyword: string, value: unknown, path: string): Place[] | undefined {
	const placed = ([key, value]: [string, unknown]): Place => ({ value, path: `${path}/${key}` });
	if (keyword === "items" && isList(value)) return Object.entries(value).map(placed);
	if (ONE.has(keyword)) return [{ value, path }];
	if (LISTS.has(keyword))
		return isList(value) && value.length > 0 ? Object.entries(value).map(placed) : undefined;
	if (NAMED.has(keyword)) return isMap(value) ? Object.entries(value).map(placed) : undefined;
	return [];
}

import { isJsonObject, type JsonObject } from "./json.ts";

export type Keyword = {
	/** Returns what is wrong with the keyword's value; undefined when nothing is. */
	issue?: (value: unknown) => string | undefined;
	/** How the value holds schemas: it is one, a list of them, or an object of them by name. */
	holds?: "one" | "list" | "named";
	/** Whether the schemas it holds apply to the same value as the schema it stands in. */
	isInPlace?: boolean;
};

/** The types that JSON Schema names. */
export const TYPES: readonly string[] = ["null", "boolean", "object", "array", "number", "string", "integer"];

const rule =
	(isValid: (value: unknown) => boolean, message: string) =>
	(value: unknown): string | undefined =>
		isValid(value) ? undefined : message;

const isType = (value: unknown): boolean => TYPES.some((type) => type === value);
const isText = (value: unknown): boolean => typeof value === "string";
const isNames = (value: unknown): value is unknown[] => Array.isArray(value) && value.every(isText);
const isUnique = (names: unknown[]): boolean => new Set(names).size === names.length;

const text = rule(isText, "Must be a string");
const count = rule(
	(value) => Number.isInteger(value) && Number(value) >= 0,
	"Must be a whole number, 0 or more",
);
const number = rule((value) => typeof value === "number", "Must be a number");
const names = (value: unknown): string | undefined => {
	if (!isNames(value)) return "Must be a list of names";
	return isUnique(value) ? undefined : "Must not repeat a name";
};
const notSupported = rule(() => false, "Must be left out: a $ref is a JSON pointer within the schema");

const one: Keyword = { holds: "one" };
const list: Keyword = {
	holds: "list",
	issue: rule((value) => Array.isArray(value) && value.length > 0, "Must be a list of at least one schema"),
};
const named: Keyword = { holds: "named", issue: rule(isJsonObject, "Must be an object of schemas by name") };

/** The keywords of JSON Schema 2020-12 that Parley checks. Any other keyword is an annotation. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
	Object.entries<Keyword>({
		$schema: {
			issue: rule(
				(value) => value === "https://json-schema.org/draft/2020-12/schema",
				"Must be https://json-schema.org/draft/2020-12/schema",
			),
		},
		$ref: {
			issue: rule(
				(value) => typeof value === "string" && /^#(\/|$)/.test(value),
				"Must be a JSON pointer within the schema, such as #/$defs/name",
			),
		},
		$id: { issue: notSupported },
		$anchor: { issue: notSupported },
		$dynamicRef: { issue: notSupported },
		$dynamicAnchor: { issue: notSupported },
		$defs: named,
		type: {
			issue: rule(
				(value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
				"Must be a JSON type, or a list of JSON types",
			),
		},
		enum: { issue: rule(Array.isArray, "Must be a list") },
		const: {},
		multipleOf: {
			issue: rule((value) => typeof value === "number" && value > 0, "Must be a number above 0"),
		},
		maximum: { issue: number },
		exclusiveMaximum: { issue: number },
		minimum: { issue: number },
		exclusiveMinimum: { issue: number },
		maxLength: { issue: count },
		minLength: { issue: count },
		pattern: { issue: text },
		format: { issue: text },
		maxItems: { issue: count },
		minItems: { issue: count },
		uniqueItems: { issue: rule((value) => typeof value === "boolean", "Must be true or false") },
		prefixItems: list,
		items: one,
		contains: one,
		minContains: { issue: count },
		maxContains: { issue: count },
		unevaluatedItems: one,
		maxProperties: { issue: count },
		minProperties: { issue: count },
		required: { issue: names },
		dependentRequired: {
			issue: rule(
				(value) => isJsonObject(value) && Object.values(value).every((each) => names(each) === undefined),
				"Must be an object of lists of names, none of them repeated",
			),
		},
		properties: named,
		patternProperties: named,
		additionalProperties: one,
		propertyNames: one,
		unevaluatedProperties: one,
		dependentSchemas: { ...named, isInPlace: true },
		allOf: { ...list, isInPlace: true },
		anyOf: { ...list, isInPlace: true },
		oneOf: { ...list, isInPlace: true },
		not: { ...one, isInPlace: true },
		if: { ...one, isInPlace: true },
		// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
		then: { ...one, isInPlace: true },
		else: { ...one, isInPlace: true },
	}),
);

/** Returns whether a value has the form of a schema: it is an object or a boolean. */
export const isSchema = (value: unknown): value is JsonObject | boolean =>
	typeof value === "boolean" || isJsonObject(value);

/** Receives a schema within a schema: the keyword that holds it and, in a list or an object of schemas, its index or name. */
type SubschemaVisitor = (schema: unknown, keyword: string, key: PropertyKey | undefined) => void;

/** Visits the schemas directly within a schema. A keyword whose value has another form holds none. */
export function visitSubschemas(schema: JsonObject, visit: SubschemaVisitor, keywords = KEYWORDS): void {
	for (const keyword of Object.keys(schema)) {
		const holds = keywords.get(keyword)?.holds;
		const value = schema[keyword];
		if (holds === "one") visit(value, keyword, undefined);
		else if (holds === "list" && Array.isArray(value))
			value.forEach((each, index) => {
				visit(each, keyword, index);
			});
		else if (holds === "named" && isJsonObject(value))
			for (const name of Object.keys(value)) visit(value[name], keyword, name);
	}
}

import { USUAL_VALUES } from "./usual-values.ts";

export type JsonSchema = {
	$ref?: string;
	type?: string | string[];
	properties?: Record<string, JsonSchema>;
	required?: string[];
	items?: JsonSchema;
	prefixItems?: JsonSchema[];
	additionalProperties?: JsonSchema | boolean;
	discriminator?: { propertyName: string; mapping: Record<string, string> };
	oneOf?: JsonSchema[];
	anyOf?: JsonSchema[];
	allOf?: JsonSchema[];
	enum?: unknown[];
	const?: unknown;
	default?: unknown;
	example?: unknown;
	format?: string;
	pattern?: string;
	minLength?: number;
	maxLength?: number;
	minItems?: number;
	minimum?: number;
	exclusiveMinimum?: number;
	maximum?: number;
};

export type Components = Record<string, JsonSchema>;

/** Whether every property is shown, as in an answer, or the required ones and those with an example of their own. */
export type Detail = "all" | "required";

const MAX_DEPTH = 8;

const FORMATS: Record<string, string> = {
	uuid: "01938f5e-7c00-7000-8000-000000000001",
	"date-time": "2026-11-20T09:30:00.000Z",
	date: "2026-11-20",
	uri: "https://example.com/audio.wav",
	email: "someone@example.com",
};

/** Texts to try against a pattern and a length, the plainest first. */
export const PLACEHOLDERS = ["example", "EXAMPLE", "Example-1", "a", "1"];
const TEXTS = [
	...PLACEHOLDERS,
	...["en", "en-GB", "eu-west", "UTC", "GET", "text/plain"],
	...["https://example.com/path", "+14155550123", "2026-11-20", "UkVBTA==", "{{$EXAMPLE}}", "example==1.0.0"],
	"0123456789abcdef".repeat(4),
	"0123456789abcdef".repeat(2),
];

/**
 * Returns a value that a schema of the document accepts: its author's example or default, else a usual value of its name, else
 * the plainest one. Rules that JSON Schema cannot express are not seen: an operation whose body has such a rule declares an
 * example. So does a schema whose pattern no usual text meets; tests find where one is missing.
 * @param name name of the field that the value is for
 */
export function exampleOf(
	schema: JsonSchema,
	components: Components,
	detail: Detail,
	name = "example",
): unknown {
	return build(schema, name, components, detail, 0);
}

function build(
	schema: JsonSchema,
	name: string,
	components: Components,
	detail: Detail,
	depth: number,
): unknown {
	const inner = (part: JsonSchema, as = name) => build(part, as, components, detail, depth + 1);
	if (schema.example !== undefined) return schema.example;
	if (schema.const !== undefined) return schema.const;
	if (schema.enum) return schema.enum[0];
	const named = schema.$ref === undefined ? undefined : components[schema.$ref.split("/").at(-1) ?? ""];
	// An author's example says more than the default of a body that may be left out.
	if (named?.example !== undefined) return named.example;
	if (schema.default !== undefined && schema.default !== null) return schema.default;
	if (schema.$ref) return inner(named ?? {});
	const [branch] = (schema.oneOf ?? schema.anyOf ?? []).filter((option) => option.type !== "null");
	if (branch) return inner(branch);
	if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => inner(part)));
	switch (typeOf(schema)) {
		case "object":
			return buildObject(schema, inner, detail, depth);
		case "array":
			return buildArray(schema, inner, depth);
		case "string":
			return textFor(schema, name);
		case "integer":
		case "number":
			return (
				usualNumber(schema, name) ??
				Math.min(Math.max(1, schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1), schema.maximum ?? 1e9)
			);
		case "boolean":
			return true;
		default:
			return null;
	}
}

type Inner = (part: JsonSchema, name?: string) => unknown;

function buildObject(schema: JsonSchema, inner: Inner, detail: Detail, depth: number): unknown {
	const required = schema.required ?? [];
	const properties = Object.entries(schema.properties ?? {});
	const shown = properties.filter(
		([name, property], index) =>
			required.includes(name) ||
			(depth < MAX_DEPTH && (detail === "all" || property.example !== undefined)) ||
			(detail === "required" && required.length === 0 && index === 0),
	);
	return Object.fromEntries(shown.map(([name, property]) => [name, inner(property, name)]));
}

function buildArray(schema: JsonSchema, inner: Inner, depth: number): unknown[] {
	if (schema.prefixItems) return schema.prefixItems.map((item) => inner(item));
	const length = Math.max(depth < MAX_DEPTH ? 1 : 0, schema.minItems ?? 0);
	return schema.items ? Array.from({ length }, () => inner(schema.items as JsonSchema)) : [];
}

function typeOf({ type, properties }: JsonSchema): string | undefined {
	const types = Array.isArray(type) ? type.filter((one) => one !== "null") : [type];
	return types[0] ?? (properties ? "object" : undefined);
}

function textFor(schema: JsonSchema, name: string): string {
	const format = schema.format && FORMATS[schema.format];
	const pattern = new RegExp(schema.pattern ?? "", "u");
	const fits = (text: string) =>
		pattern.test(text) &&
		text.length >= (schema.minLength ?? 0) &&
		text.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY);
	const usual = (USUAL_VALUES[name] ?? []).filter((value) => typeof value === "string");
	return [...(format ? [format] : []), ...usual, name, ...TEXTS].find(fits) ?? name;
}

const usualNumber = (schema: JsonSchema, name: string): number | undefined =>
	(USUAL_VALUES[name] ?? [])
		.filter((value) => typeof value === "number")
		.find(
			(value) =>
				(typeOf(schema) === "number" || Number.isInteger(value)) &&
				value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) &&
				value > (schema.exclusiveMinimum ?? Number.NEGATIVE_INFINITY) &&
				value <= (schema.maximum ?? Number.POSITIVE_INFINITY),
		);

import { type OutputUnit, type ValidationResult, Validator } from "@cfworker/json-schema";
import { LinearSchema } from "./linear-schema.ts";
import { meterSchema } from "./meter-schema.ts";

export type SchemaFault = { path: string[]; message: string };

/** Keywords whose failure only says that something within them failed. */
const OUTER = new Set(
	["properties", "items", "prefixItems", "patternProperties", "additionalProperties"].concat([
		"unevaluatedProperties",
		"unevaluatedItems",
		"$ref",
		"allOf",
		"then",
		"else",
		"dependentSchemas",
	]),
);

const MAX_FAULTS = 100;
/** Comparing each item with each other one takes a second at this length. */
const MAX_UNIQUE_ITEMS = 20_000;

/**
 * What keeps a JSON value from matching a schema, the first 100 faults; empty when it matches. A value that cannot be
 * checked does not match. Messages may quote numbers of the value.
 */
export function schemaFaults(schema: object, value: unknown): SchemaFault[] {
	const result = check(schema, value);
	if (!result) return [{ path: [], message: "Cannot be checked against the schema" }];
	if (result.valid) return [];
	const inner = result.errors.filter(({ keyword }) => !OUTER.has(keyword));
	return (inner.length > 0 ? inner : result.errors).slice(0, MAX_FAULTS).map(toFault);
}

/** Undefined when it would take too much work, or when the schema leads the validator where there is no schema. */
function check(schema: object, value: unknown): ValidationResult | undefined {
	if (demandsUniqueItems(schema) && hasLongArray(value)) return undefined;
	try {
		const linear = new LinearSchema(schema, value);
		const validator = new Validator(meterSchema(linear.schema), "2020-12", false);
		return linear.withPatterns(() => validator.validate(value));
	} catch {
		return undefined;
	}
}

const demandsUniqueItems = (schema: object): boolean => JSON.stringify(schema).includes('"uniqueItems":true');

function hasLongArray(value: unknown): boolean {
	if (typeof value !== "object" || value === null) return false;
	if (Array.isArray(value) && value.length > MAX_UNIQUE_ITEMS) return true;
	return Object.values(value).some(hasLongArray);
}

function toFault({ instanceLocation, keyword, error }: OutputUnit): SchemaFault {
	const path = instanceLocation.split("/").slice(1).map(decodeToken);
	if (keyword === "false") return { path, message: "Not allowed by the schema" };
	if (keyword === "format" && error.includes('"pattern '))
		return { path, message: "String does not match pattern." };
	const missing = keyword === "required" ? /"(.*)"\.$/s.exec(error)?.[1] : undefined;
	return missing === undefined ? { path, message: error } : { path: [...path, missing], message: "Required" };
}

const decodeToken = (token: string): string =>
	decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");

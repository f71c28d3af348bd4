import { type OutputUnit, Validator } from "@cfworker/json-schema";

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

/** What keeps a JSON value from matching a schema; empty when it does. Messages may quote numbers of the value. */
export function schemaFaults(schema: object, value: unknown): SchemaFault[] {
	const { valid, errors } = new Validator(schema, "2020-12", false).validate(value);
	if (valid) return [];
	const inner = errors.filter(({ keyword }) => !OUTER.has(keyword));
	return (inner.length > 0 ? inner : errors).map(toFault);
}

function toFault({ instanceLocation, keyword, error }: OutputUnit): SchemaFault {
	const path = instanceLocation.split("/").slice(1).map(decodeToken);
	if (keyword === "false") return { path, message: "Not allowed by the schema" };
	const missing = keyword === "required" ? /"(.*)"\.$/s.exec(error)?.[1] : undefined;
	return missing === undefined ? { path, message: error } : { path: [...path, missing], message: "Required" };
}

const decodeToken = (token: string): string =>
	decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");

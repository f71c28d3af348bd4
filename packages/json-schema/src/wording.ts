import { isJsonObject } from "./json.ts";

const MAX_QUOTED = 200;

const TYPES: Readonly<Record<string, string>> = {
	null: "null",
	boolean: "true or false",
	object: "an object",
	array: "a list",
	number: "a number",
	string: "a string",
	integer: "a whole number",
};

const FORMATS: Readonly<Record<string, string>> = {
	date: "a date such as 2026-11-20",
	time: "a time with its offset, such as 09:30:00Z",
	"date-time": "a date and time with its offset, such as 2026-11-20T09:30:00Z",
	duration: "a duration such as P3DT4H",
	uuid: "a UUID",
	email: "an e-mail address",
	hostname: "a host name such as example.com",
	ipv4: "an IPv4 address",
	ipv6: "an IPv6 address",
	uri: "a URI such as https://example.com/path",
	"uri-reference": "a URI or a relative reference",
	"json-pointer": "a JSON pointer such as /items/0",
	"relative-json-pointer": "a relative JSON pointer such as 1/name",
};

/** @param types names of JSON types. */
export const mustBeType = (types: readonly string[]): string =>
	`Must be ${types.map((type) => TYPES[type] ?? type).join(" or ")}`;

export const mustHaveFormat = (format: string): string => `Must be ${FORMATS[format] ?? format}`;

export const mustMatch = (pattern: string): string => `Must match the pattern ${shortened(pattern)}`;

/** Names values of the schema's own `enum` or `const`. */
export function mustEqual(values: readonly unknown[]): string {
	const quoted: string[] = [];
	let length = 0;
	for (const value of values) {
		// An object may be as large as the schema.
		const text = isJsonObject(value) || Array.isArray(value) ? "{…}" : shortened(JSON.stringify(value));
		length += text.length;
		quoted.push(length > MAX_QUOTED ? "…" : text);
		if (length > MAX_QUOTED) break;
	}
	return quoted.length === 1 ? `Must be ${quoted[0]}` : `Must be one of ${quoted.join(", ")}`;
}

/** @param unit singular; `minimum` 1 reads "must not be empty". */
export const mustHaveAtLeast = (minimum: number, unit: Unit): string =>
	minimum === 1 ? "Must not be empty" : `Must have at least ${counted(minimum, unit)}`;

export const mustHaveAtMost = (maximum: number, unit: Unit): string =>
	`Must have at most ${counted(maximum, unit)}`;

export type Unit = "character" | "item" | "property" | "matching item";

export const counted = (count: number, unit: Unit): string =>
	count === 1 ? `1 ${unit}` : `${count} ${unit === "property" ? "properties" : `${unit}s`}`;

const shortened = (text: string): string =>
	text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;

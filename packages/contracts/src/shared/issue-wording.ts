import type { z } from "zod";

type Issue = z.core.$ZodRawIssue;

/**
 * Returns the message of a schema's issue as a plain sentence that follows the field's name. Passed to `safeParse` as `error`. A
 * schema's own message takes precedence.
 */
export function sayIssue(issue: Issue): string | undefined {
	switch (issue.code) {
		case "invalid_type":
			return `Must be ${KINDS[isWhole(issue) ? "int" : issue.expected] ?? issue.expected}`;
		case "too_small":
			return issue.minimum === 1 && issue.origin !== "number" && issue.origin !== "int"
				? "Must not be empty"
				: bound(issue, issue.inclusive === false ? "more than" : "at least", issue.minimum);
		case "too_big":
			return bound(issue, issue.inclusive === false ? "less than" : "at most", issue.maximum);
		case "invalid_format":
			return `Must be ${FORMATS[issue.format] ?? `of the form ${issue.pattern ?? issue.format}`}`;
		case "invalid_value":
			return mustBeOneOf(issue.values);
		case "not_multiple_of":
			return `Must be a multiple of ${issue.divisor}`;
		case "invalid_key":
			return "Not a name that can be used here";
		default:
			return undefined;
	}
}

/** Names the kinds of value that are taken. @param kinds types as a schema names them, at least one. */
export function mustBeOfKind(kinds: readonly string[]): string {
	const named = [...new Set(kinds.map((kind) => KINDS[kind] ?? kind))];
	const [last = "", ...before] = named.toReversed();
	if (before.length === 0) return `Must be ${last}`;
	// With a comma the last kind stays apart, even if it is "true or false".
	const comma = named.length > 2 || last.includes(" or ") ? "," : "";
	return `Must be ${before.toReversed().join(", ")}${comma} or ${last}`;
}

/** @param values at least one. */
export function mustBeOneOf(values: readonly unknown[]): string {
	const named = values.map((value) => (typeof value === "bigint" ? String(value) : JSON.stringify(value)));
	return named.length === 1 ? `Must be ${named[0]}` : `Must be one of ${named.join(", ")}`;
}

/** Tells whether a schema requires a whole number. A value that is not a number fails as a number first. */
const isWhole = ({ inst }: Issue): boolean =>
	inst !== undefined && "format" in inst._zod.def && inst._zod.def.format === "safeint";

const KINDS: Record<string, string> = {
	string: "a string",
	number: "a number",
	int: "a whole number",
	boolean: "true or false",
	array: "a list",
	tuple: "a list",
	object: "an object",
	record: "an object",
	null: "null",
};

const FORMATS: Record<string, string> = {
	datetime: "a date and time with its zone, such as 2026-11-20T09:30:00Z",
	date: "a date such as 2026-11-20",
	uuid: "a UUID",
	url: "a URL, such as https://example.com/path",
	email: "an e-mail address",
	base64: "base64 (RFC 4648)",
};

/** Units in which strings and lists are counted. */
const COUNTED: Record<string, string> = { string: "character", array: "item", record: "property" };

function bound(
	{ origin, path }: { origin: string; path?: PropertyKey[] | undefined },
	how: string,
	limit: unknown,
) {
	const counted = COUNTED[origin];
	if (counted === undefined) return `Must be ${how} ${measured(Number(limit), path?.at(-1))}`;
	const plural = counted === "property" ? "properties" : `${counted}s`;
	return `Must have ${how} ${limit} ${limit === 1 ? counted : plural}`;
}

const UNITS = [
	["_bytes", "byte"],
	["_seconds", "second"],
	["_hours", "hour"],
	["_ms", "millisecond"],
] as const;

/** A number with the unit that its field's name ends in. */
function measured(limit: number, field: PropertyKey | undefined): string {
	const unit = UNITS.find(([ending]) => String(field).endsWith(ending))?.[1];
	if (unit === undefined) return String(limit);
	const text = `${limit} ${limit === 1 ? unit : `${unit}s`}`;
	const gib = limit / 1024 ** 3;
	return unit === "byte" && gib >= 1 ? `${text} (${Math.round(gib * 1000) / 1000} GiB)` : text;
}

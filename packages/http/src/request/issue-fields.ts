import { type FieldError, MAX_FIELD_ERRORS } from "@parley/contracts/shared/api-error";
import { mustBeOfKind, mustBeOneOf } from "@parley/contracts/shared/issue-wording";
import { z } from "zod";

type Issue = z.core.$ZodIssue;

/** Validated value and its schema. An issue names neither its value nor the known fields. */
export type Validated = { schema: z.ZodType; value: unknown; place: "" | "query" | "path" };

/** Returns the rejected fields of an input by dotted path, at most MAX_FIELD_ERRORS. */
export const toFields = (issues: Issue[], validated: Validated): FieldError[] =>
	issues.slice(0, MAX_FIELD_ERRORS).flatMap((issue) => toFieldErrors(issue, [], validated));

function toFieldErrors(issue: Issue, base: PropertyKey[], validated: Validated): FieldError[] {
	const path = [...base, ...issue.path];
	if (issue.code === "unrecognized_keys") {
		const message = validated.place === "query" ? unknownParameter(validated.schema) : "Unknown property";
		const keys = issue.keys.slice(0, MAX_FIELD_ERRORS);
		return keys.map((key) => ({ path: dotted(validated, [...path, key]), message }));
	}
	const options = optionsOf(issue);
	if (isOfType(issue) && valueAt(validated.value, path) === undefined) {
		const values = options.length > 0 ? `. ${mustBeOneOf(options)}` : "";
		const message = path.length === 0 ? "A JSON body is required" : `Is required${values}`;
		return [{ path: dotted(validated, path), message }];
	}
	if (issue.code === "invalid_union") {
		const message = kinds(issue.errors) ?? alternatives(issue.errors, valueAt(validated.value, path));
		if (message) return [{ path: dotted(validated, path), message }];
		const branch = closestBranch(issue.errors);
		if (branch)
			return branch.slice(0, MAX_FIELD_ERRORS).flatMap((one) => toFieldErrors(one, path, validated));
	}
	return [
		{ path: dotted(validated, path), message: options.length > 0 ? mustBeOneOf(options) : issue.message },
	];
}

/** Whether an issue is about a value of the wrong kind, which an absent one also is; a rule of our own says itself what it misses. */
const isOfType = ({ code }: Issue): boolean =>
	code === "invalid_type" || code === "invalid_value" || code === "invalid_union";

/** The values that a discriminator may have; empty for other issues. One that may be left out counts `undefined` among them. */
function optionsOf(issue: Issue): unknown[] {
	const options = issue.code === "invalid_union" && "options" in issue ? (issue.options ?? []) : [];
	return options.filter((option) => option !== undefined && option !== null);
}

function unknownParameter(schema: z.ZodType): string {
	const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
	return known.length > 0
		? `Unknown parameter; known: ${known.join(", ")}`
		: "Unknown parameter; none is taken";
}

const valueAt = (value: unknown, path: PropertyKey[]): unknown =>
	path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);

const dotted = ({ place }: Validated, path: PropertyKey[]): string =>
	[...(place ? [place] : []), ...path].map(String).join(".");

/** Returns the kinds of value that a union takes, when the value is of none of them. */
function kinds(branches: Issue[][]): string | undefined {
	const expected = branches.flatMap(([issue, ...others]) =>
		issue?.code === "invalid_type" && issue.path.length === 0 && others.length === 0 ? [issue.expected] : [],
	);
	return expected.length > 0 && expected.length === branches.length ? mustBeOfKind(expected) : undefined;
}

/**
 * Returns what to do when an object must have exactly one of several properties and has all of them or none: each branch of
 * the union then fails by a single issue, about a property that another branch wants.
 */
function alternatives(branches: Issue[][], value: unknown): string | undefined {
	const issues = branches.flatMap((branch) => (branch.length === 1 ? branch : []));
	if (issues.length < branches.length || typeof value !== "object" || value === null) return undefined;
	const surplus = issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : []));
	const missing = issues.flatMap((issue) => {
		const [key, ...deeper] = issue.path;
		return isOfType(issue) && key !== undefined && deeper.length === 0 && !(key in value)
			? [String(key)]
			: [];
	});
	const named = (keys: string[]) => [...new Set(keys)].sort().join(" or ");
	const isDistinct = (keys: string[]) =>
		keys.length === branches.length && new Set(keys).size === branches.length;
	if (isDistinct(surplus)) return `Must have either ${named(surplus)}, not both`;
	return isDistinct(missing) ? `Must have either ${named(missing)}` : undefined;
}

/**
 * Returns the branch of a union that the input is closest to: the one that failed deepest, then the one with the fewest issues. A branch
 * for single values is less informative than one for a type.
 */
function closestBranch(branches: Issue[][]): Issue[] | undefined {
	const depth = (issues: Issue[]) => Math.max(0, ...issues.map((issue) => issue.path.length));
	const isNarrow = ([issue]: Issue[]) => Number(issue?.code === "invalid_value");
	return [...branches].sort(
		(a, b) => depth(b) - depth(a) || a.length - b.length || isNarrow(a) - isNarrow(b),
	)[0];
}

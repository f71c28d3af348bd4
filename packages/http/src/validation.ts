import { ApiError, type FieldError, MAX_FIELD_ERRORS } from "@parley/contracts/api-error";
import type { z } from "zod";
import type { Plane } from "./plane.ts";

type Issue = z.core.$ZodIssue;

/**
 * The value as its schema shapes it.
 * @param place `query` or `path`, put in front of each field's path; empty for the body.
 * @throws ApiError the plane's code for invalid input, with every rejected field.
 */
export function validate<T extends z.ZodType>(
	plane: Plane,
	schema: T,
	value: unknown,
	place: "" | "query" | "path",
): z.output<T> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const fields = result.error.issues
		.slice(0, MAX_FIELD_ERRORS)
		.flatMap((issue) => toFieldErrors(issue, place ? [place] : []));
	const [first] = fields;
	const message = first?.path ? `${first.path}: ${first.message}` : (first?.message ?? "Invalid input");
	throw new ApiError(plane.invalidCode, message, { fields });
}

function toFieldErrors(issue: Issue, base: PropertyKey[]): FieldError[] {
	const path = [...base, ...issue.path];
	if (issue.code === "unrecognized_keys") {
		const message = base[0] === "query" ? "Unknown parameter" : "Unknown property";
		return issue.keys.slice(0, MAX_FIELD_ERRORS).map((key) => ({ path: dotted([...path, key]), message }));
	}
	if (issue.code === "invalid_union") {
		const branch = closestBranch(issue.errors);
		if (branch) return branch.slice(0, MAX_FIELD_ERRORS).flatMap((nested) => toFieldErrors(nested, path));
	}
	return [{ path: dotted(path), message: issue.message }];
}

const dotted = (path: PropertyKey[]): string => path.map(String).join(".");

/** Of a union's branches the one that the input came nearest to: the one that failed deepest, then with the fewest issues. */
function closestBranch(branches: Issue[][]): Issue[] | undefined {
	const depth = (issues: Issue[]) => Math.max(0, ...issues.map((issue) => issue.path.length));
	return [...branches].sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
}

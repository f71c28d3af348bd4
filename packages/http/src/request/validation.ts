import { ApiError } from "@parley/contracts/shared/api-error";
import { sayIssue } from "@parley/contracts/shared/issue-wording";
import type { z } from "zod";
import type { Plane } from "../planes/plane.ts";
import { toFields } from "./issue-fields.ts";

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
	const result = schema.safeParse(value, { error: sayIssue });
	if (result.success) return result.data;
	const fields = toFields(result.error.issues, { schema, value, place });
	const [first] = fields;
	const message = first?.path ? `${first.path}: ${first.message}` : (first?.message ?? "Invalid input");
	throw new ApiError(plane.invalidCode, message, { fields });
}

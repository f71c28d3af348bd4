import { ApiError } from "@parley/contracts/shared/api-error";
import { z } from "zod";
import type { Plane } from "../planes/plane.ts";

/**
 * Query parameters as an object for a schema: a parameter whose schema is an array may be repeated, any other may not.
 * @throws ApiError the plane's code for invalid input, for a repeated single parameter.
 */
export function readQuery(
	plane: Plane,
	schema: z.ZodObject,
	search: URLSearchParams,
): Record<string, unknown> {
	// Without a prototype, so that a parameter `__proto__` is one like any other.
	const query: Record<string, unknown> = Object.create(null);
	for (const name of new Set(search.keys())) {
		const values = search.getAll(name);
		if (takesArray(schema.shape[name])) query[name] = values;
		else if (values.length === 1) query[name] = values[0];
		else {
			const fields = [{ path: `query.${name}`, message: "Given more than once" }];
			throw new ApiError(plane.invalidCode, `query.${name}: Given more than once`, { fields });
		}
	}
	return query;
}

function takesArray(schema: unknown): boolean {
	if (schema instanceof z.ZodArray) return true;
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return takesArray(schema.unwrap());
	return false;
}

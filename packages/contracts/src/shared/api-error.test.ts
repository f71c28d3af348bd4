import { expect, test } from "vitest";
import { ApiError, notFound } from "./api-error.ts";

test("an error names a hundred fields at most, and the beginnings of long paths and messages", () => {
	const field = { path: "p".repeat(5000), message: "m".repeat(5000) };
	const { fields } = new ApiError("VALIDATION_FAILED", "Invalid", { fields: Array(200).fill(field) });
	expect(fields).toHaveLength(100);
	expect(fields?.[0]).toEqual({ path: "p".repeat(1000), message: "m".repeat(1000) });
});

test("a missing resource is named by its kind and its id", () => {
	expect(notFound("Vault entry", "TOKEN")).toMatchObject({
		code: "RESOURCE_NOT_FOUND",
		message: "Vault entry not found: TOKEN",
	});
	expect(notFound("Model", "acme/none", "MODEL_NOT_FOUND").code).toBe("MODEL_NOT_FOUND");
});

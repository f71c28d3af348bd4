import { invalidExamples } from "@parley/http/openapi/invalid-examples";
import { undescribedFields } from "@parley/http/openapi/undescribed-fields";
import { expect, test } from "vitest";
import { app } from "./app.ts";

test("every documented example meets the schema that validates", () => {
	expect(invalidExamples(app)).toEqual([]);
});

test("every parameter and field says what it is", () => {
	expect(undescribedFields(app)).toEqual([]);
});

import { invalidExamples } from "@parley/http/openapi/invalid-examples";
import { expect, test } from "vitest";
import { app } from "./app.ts";

test("every documented example meets the schema that validates", () => {
	expect(invalidExamples(app)).toEqual([]);
});

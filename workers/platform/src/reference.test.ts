import { undescribedFields } from "@parley/http/openapi/schemas/undescribed-fields";
import { testWorkerContract } from "@parley/http/openapi/test-worker-contract";
import { expect, test } from "vitest";
import { app } from "./app.ts";

testWorkerContract(app);

test("every parameter and field has a description", () => {
	expect(undescribedFields(app)).toEqual([]);
});

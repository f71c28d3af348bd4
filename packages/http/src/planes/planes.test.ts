import { ApiError } from "@parley/contracts/shared/api-error";
import { expect, test } from "vitest";
import { agentsPlane, batchPlane } from "./planes.ts";

const expired = new ApiError("AUTH_REQUIRED", "This API key expired on 2026-11-20T00:00:00.000Z.");
const rule = { status: 401, retryable: false };

test("every 401 of the batch API begins with the message of its contract", () => {
	expect(batchPlane.render(expired, rule, "r")).toEqual({ error: `Invalid API key: ${expired.message}` });
	const invalid = new ApiError("AUTH_REQUIRED", "Invalid API key");
	expect(batchPlane.render(invalid, rule, "r")).toEqual({ error: "Invalid API key" });
	expect(agentsPlane.render(expired, rule, "r")).toMatchObject({ detail: expired.message });
});

import { expect, test } from "vitest";
import { kindOf } from "./failure-kind.ts";
import { ApiFailure, ConnectionFailure } from "./failures.ts";

const request = { url: "/v1/keys", init: { method: "GET" }, isSecret: false };
const failure = (status: number, code?: string, headers: Record<string, string> = {}) =>
	ApiFailure.of(Response.json({ error: { code, message: "m" } }, { status, headers }), request);

test.each([
	[403, undefined, "forbidden"],
	[404, "RESOURCE_NOT_FOUND", "gone"],
	[409, "REVISION_CONFLICT", "conflict"],
	[409, "LAST_OWNER", "other"],
	[412, "PRECONDITION_FAILED", "conflict"],
	[422, "VALIDATION_FAILED", "other"],
	[429, "RATE_LIMITED", "busy"],
	[503, "REGION_UNAVAILABLE", "fault"],
] as const)("the answer %i %s is of the kind %s", async (status, code, kind) => {
	expect(kindOf(await failure(status, code))).toBe(kind);
});

test("no answer at all is of the kind offline", () => {
	expect(kindOf(new ConnectionFailure(request, new TypeError()))).toBe("offline");
	expect(kindOf(new Error("x"))).toBe("other");
});

test("a failure knows when the API takes the request again", async () => {
	expect((await failure(429, "RATE_LIMITED", { "retry-after": "12" })).retryAfterS).toBe(12);
	expect((await failure(500)).retryAfterS).toBeUndefined();
});

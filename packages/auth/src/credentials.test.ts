import { expect, test } from "vitest";
import { batchKey, bearerKey } from "./credentials.ts";

test("the bearer scheme is case-insensitive and takes one token", () => {
	expect(bearerKey(new Headers({ authorization: "bearer k1" }))).toBe("k1");
	expect(bearerKey(new Headers({ authorization: "Bearer k1 k2" }))).toBeUndefined();
	expect(bearerKey(new Headers({ authorization: "Basic k1" }))).toBeUndefined();
});

test("batch takes either header, and refuses two that differ", () => {
	expect(batchKey(new Headers({ "x-api-key": "k1" }))).toBe("k1");
	expect(batchKey(new Headers({ authorization: "Bearer k1" }))).toBe("k1");
	expect(batchKey(new Headers({ authorization: "Bearer k1", "x-api-key": "k1" }))).toBe("k1");
	expect(batchKey(new Headers({ authorization: "Bearer k1", "x-api-key": "k2" }))).toBeUndefined();
	expect(batchKey(new Headers({ authorization: "Basic x", "x-api-key": "k2" }))).toBeUndefined();
});

import { expect, test } from "vitest";
import { fingerprint } from "./fingerprint.ts";
import { parseKek } from "./keys.ts";

const one = await parseKek(`one:${btoa("1".repeat(32))}`);
const two = await parseKek(`two:${btoa("2".repeat(32))},one:${btoa("1".repeat(32))}`);

test("equal texts have equal fingerprints, and others have others", async () => {
	expect(await fingerprint(one, "Authorization: x")).toBe(await fingerprint(one, "Authorization: x"));
	expect(await fingerprint(one, "Authorization: x")).not.toBe(await fingerprint(one, "Authorization: y"));
});

test("a fingerprint depends on the current key", async () => {
	expect(await fingerprint(one, "text")).not.toBe(await fingerprint(two, "text"));
	expect(await fingerprint(one, "text")).toMatch(/^[\w-]{43}$/);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { crc32, createKey, hashKey, keyDisplay, keyFamily } from "./api-key.ts";

test("a created key is recognised by its family", () => {
	expect(keyFamily(createKey("consumer"))).toBe("consumer");
	expect(keyFamily(createKey("batch"))).toBe("batch");
	expect(createKey("batch")).toMatch(/^parley_bt_[0-9A-Za-z]{38}$/);
});

test("any single changed character breaks the checksum", () => {
	const alphabet = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
	fc.assert(
		fc.property(fc.integer({ min: 10, max: 47 }), alphabet, (at, replacement) => {
			const key = createKey("consumer");
			const changed = key.slice(0, at) + replacement + key.slice(at + 1);
			expect(keyFamily(changed)).toBe(changed === key ? "consumer" : undefined);
		}),
	);
});

test("the checksum covers the prefix", () => {
	expect(keyFamily(createKey("consumer").replace("_cu_", "_bt_"))).toBeUndefined();
});

test("legacy keys are parley_ and forty hex digits", () => {
	expect(keyFamily(`parley_${"0a".repeat(20)}`)).toBe("legacy");
	expect(keyFamily(`parley_${"0A".repeat(20)}`)).toBeUndefined();
});

test("arbitrary text is no key", () => {
	fc.assert(fc.property(fc.string(), (text) => keyFamily(text) === undefined));
});

test("crc32 is the one of zip and gzip", () => {
	expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
});

test("the stored form is SHA-256 and the display form is the two ends", async () => {
	expect(await hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	const key = createKey("consumer");
	expect(keyDisplay(key)).toEqual({ prefix: "parley_cu_", lastFour: key.slice(-4) });
});

import { toBase64 } from "@parley/bytes/base64";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDataKey, parseKek, rewrapDataKey, unwrapDataKey, wrapDataKey } from "./keys.ts";
import { open, seal } from "./seal.ts";

const randomKey = (): string => toBase64(crypto.getRandomValues(new Uint8Array(32)));
const [oldKey, newKey] = [randomKey(), randomKey()];
const binding = { organisationId: "org-1", keyId: "dk-1" };
const entry = { organisationId: "org-1", entryId: "e", name: "N", kind: "secret", revision: 1 } as const;
const coded = (code: string) => expect.objectContaining({ name: "VaultError", code });

describe("VAULT_KEK", () => {
	test("names its keys, the current one first", async () => {
		const ring = await parseKek(`2026-11:${newKey}, 2026-01:${oldKey}`);
		expect(ring.currentId).toBe("2026-11");
		expect([...ring.keys.keys()]).toEqual(["2026-11", "2026-01"]);
	});

	test("a ring of one key without a name calls it default", async () => {
		expect((await parseKek(` ${newKey}\n`)).currentId).toBe("default");
		expect((await parseKek(`new:${newKey},${oldKey}`)).keys.has("default")).toBe(true);
	});

	test.each([
		["absent", undefined],
		["empty", ""],
		["not base64", "a:not base64!"],
		["too short", `a:${toBase64(new Uint8Array(31))}`],
		["too long", `a:${toBase64(new Uint8Array(33))}`],
		["without padding", `a:${newKey.replace("=", "")}`],
		["named with a dot", `a.b:${newKey}`],
		["named twice the same", `a:${newKey},a:${oldKey}`],
		["ended by a comma", `a:${newKey},`],
	])("that is %s is refused without being quoted", async (_name, setting) => {
		await expect(parseKek(setting)).rejects.toThrow(coded("kek_invalid"));
		const error = await parseKek(setting).catch((thrown: Error) => thrown);
		expect(String(error)).not.toContain(newKey.slice(0, 8));
	});
});

describe("a data key", () => {
	test("seals the same before and after it was stored", async () => {
		const ring = await parseKek(newKey);
		const created = await createDataKey("dk-1");
		const sealed = await seal(created, "value", entry);
		const { wrappedKey, kekId } = await wrapDataKey(ring, created, "org-1");
		expect(kekId).toBe("default");
		expect(await open(await unwrapDataKey(ring, wrappedKey, binding), sealed, entry)).toBe("value");
	});

	test("cannot be exported once it was stored", async () => {
		const ring = await parseKek(newKey);
		const { wrappedKey } = await wrapDataKey(ring, await createDataKey("dk-1"), "org-1");
		const { key } = await unwrapDataKey(ring, wrappedKey, binding);
		await expect(crypto.subtle.exportKey("raw", key)).rejects.toThrow();
	});

	test("wrapped twice has two stored forms", async () => {
		const ring = await parseKek(newKey);
		const key = await createDataKey("dk-1");
		const [a, b] = [await wrapDataKey(ring, key, "org-1"), await wrapDataKey(ring, key, "org-1")];
		expect(a.wrappedKey).not.toBe(b.wrappedKey);
	});

	test("does not open for another organisation, under another id or by another key", async () => {
		const ring = await parseKek(newKey);
		const { wrappedKey } = await wrapDataKey(ring, await createDataKey("dk-1"), "org-1");
		const unreadable = coded("data_key_unreadable");
		await expect(unwrapDataKey(ring, wrappedKey, { ...binding, organisationId: "org-2" })).rejects.toThrow(
			unreadable,
		);
		await expect(unwrapDataKey(ring, wrappedKey, { ...binding, keyId: "dk-2" })).rejects.toThrow(unreadable);
		await expect(unwrapDataKey(await parseKek(oldKey), wrappedKey, binding)).rejects.toThrow(unreadable);
		await expect(unwrapDataKey(await parseKek(`a:${newKey}`), wrappedKey, binding)).rejects.toThrow(
			coded("kek_unknown"),
		);
	});

	test("a key with any stored character changed does not open", async () => {
		const ring = await parseKek(newKey);
		const { wrappedKey } = await wrapDataKey(ring, await createDataKey("dk-1"), "org-1");
		const chars = fc.constantFrom(..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.");
		await fc.assert(
			fc.asyncProperty(fc.nat(wrappedKey.length - 1), chars, async (at, char) => {
				const changed = wrappedKey.slice(0, at) + char + wrappedKey.slice(at + 1);
				fc.pre(changed !== wrappedKey);
				await expect(unwrapDataKey(ring, changed, binding)).rejects.toThrow(
					expect.objectContaining({ name: "VaultError" }),
				);
			}),
		);
	});
});

describe("re-wrapping", () => {
	test("moves a key to the current key-encryption key, once, and the old one may go", async () => {
		const before = await parseKek(`old:${oldKey}`);
		const created = await createDataKey("dk-1");
		const sealed = await seal(created, "value", entry);
		const { wrappedKey } = await wrapDataKey(before, created, "org-1");

		const during = await parseKek(`new:${newKey},old:${oldKey}`);
		const first = await rewrapDataKey(during, wrappedKey, binding);
		expect(first).toMatchObject({ changed: true, kekId: "new" });
		const second = await rewrapDataKey(during, first.wrappedKey, binding);
		expect(second).toEqual({ ...first, changed: false });

		const after = await parseKek(`new:${newKey}`);
		expect(await open(await unwrapDataKey(after, second.wrappedKey, binding), sealed, entry)).toBe("value");
		await expect(unwrapDataKey(after, wrappedKey, binding)).rejects.toThrow(coded("kek_unknown"));
	});

	test("refuses a key that it cannot read", async () => {
		const { wrappedKey } = await wrapDataKey(
			await parseKek(`old:${oldKey}`),
			await createDataKey("dk-1"),
			"org-1",
		);
		const ring = await parseKek(`new:${newKey},old:${oldKey}`);
		await expect(rewrapDataKey(ring, wrappedKey, { ...binding, organisationId: "x" })).rejects.toThrow(
			coded("data_key_unreadable"),
		);
		await expect(rewrapDataKey(ring, "garbage", binding)).rejects.toThrow(coded("data_key_unreadable"));
	});
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { createDataKey } from "./keys.ts";
import { type EntryBinding, open, seal } from "./seal.ts";

const dataKey = await createDataKey("dk-1");
const unreadable = expect.objectContaining({ name: "VaultError", code: "value_unreadable" });

const binding: fc.Arbitrary<EntryBinding> = fc.record({
	organisationId: fc.uuid(),
	entryId: fc.uuid(),
	name: fc.stringMatching(/^[A-Z][A-Z0-9_]{0,63}$/),
	kind: fc.constantFrom("secret", "variable"),
	revision: fc.integer({ min: 1 }),
});
const value = fc.string({ unit: "binary", maxLength: 200 }).filter((text) => text.isWellFormed());

test("what is sealed opens again, whatever the text", async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.oneof(value, fc.constant("\ufeffwith a byte order mark")),
			binding,
			async (text, bound) => {
				expect(await open(dataKey, await seal(dataKey, text, bound), bound)).toBe(text);
			},
		),
	);
});

test("10,000 characters of four bytes each open again", async () => {
	const bound = { organisationId: "o", entryId: "e", name: "N", kind: "secret", revision: 1 } as const;
	const long = "😀".repeat(10_000);
	expect(await open(dataKey, await seal(dataKey, long, bound), bound)).toBe(long);
});

test("two seals of the same text differ", async () => {
	await fc.assert(
		fc.asyncProperty(value, binding, async (text, bound) => {
			expect(await seal(dataKey, text, bound)).not.toBe(await seal(dataKey, text, bound));
		}),
	);
});

test("any changed field of the binding fails", async () => {
	await fc.assert(
		fc.asyncProperty(value, binding, binding, async (text, bound, other) => {
			const sealed = await seal(dataKey, text, bound);
			for (const field of Object.keys(bound) as (keyof EntryBinding)[]) {
				if (bound[field] === other[field]) continue;
				await expect(open(dataKey, sealed, { ...bound, [field]: other[field] })).rejects.toThrow(unreadable);
			}
		}),
	);
});

test("fields do not run into each other", async () => {
	const bound = { organisationId: "a", entryId: "bc", name: "N", kind: "secret", revision: 1 } as const;
	const sealed = await seal(dataKey, "x", bound);
	await expect(open(dataKey, sealed, { ...bound, organisationId: "ab", entryId: "c" })).rejects.toThrow(
		unreadable,
	);
});

test("another data key fails, also one under the same id, and the same one under another id", async () => {
	const bound = { organisationId: "o", entryId: "e", name: "N", kind: "secret", revision: 1 } as const;
	const sealed = await seal(dataKey, "x", bound);
	await expect(open(await createDataKey("dk-1"), sealed, bound)).rejects.toThrow(unreadable);
	const renamed = { ...dataKey, id: "dk-2" };
	await expect(open(renamed, sealed, bound)).rejects.toThrow(unreadable);
	await expect(open(renamed, sealed.replace("dk-1", "dk-2"), bound)).rejects.toThrow(unreadable);
});

test("any flipped bit and any cut fails", async () => {
	await fc.assert(
		fc.asyncProperty(value, binding, fc.nat(), fc.nat(6), async (text, bound, pick, bit) => {
			const sealed = await seal(dataKey, text, bound);
			const at = pick % sealed.length;
			const flipped =
				sealed.slice(0, at) + String.fromCharCode(sealed.charCodeAt(at) ^ (1 << bit)) + sealed.slice(at + 1);
			await expect(open(dataKey, flipped, bound)).rejects.toThrow(unreadable);
			await expect(open(dataKey, sealed.slice(0, at), bound)).rejects.toThrow(unreadable);
		}),
	);
});

test("neither the sealed text nor an error shows the value", async () => {
	const bound = { organisationId: "o", entryId: "e", name: "N", kind: "secret", revision: 1 } as const;
	const sealed = await seal(dataKey, "open sesame", bound);
	expect(sealed).toMatch(/^v1\.dk-1\.[A-Za-z0-9_-]+$/);
	expect(sealed).not.toContain(btoa("open sesame").slice(0, 8));
	const error = await open(dataKey, sealed, { ...bound, revision: 2 }).catch((thrown) => thrown);
	expect(JSON.stringify(error) + String(error)).not.toContain("sesame");
});

test("text with a lone surrogate is refused, since it would not come back the same", async () => {
	const bound = { organisationId: "o", entryId: "e", name: "N", kind: "secret", revision: 1 } as const;
	await expect(seal(dataKey, "a\ud800b", bound)).rejects.toThrow(
		expect.objectContaining({ code: "value_not_text" }),
	);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase64, fromCanonicalBase64, fromCanonicalBase64Url, toBase64, toBase64Url } from "./base64.ts";
import { concat } from "./concat.ts";
import { toHex } from "./hex.ts";
import { sha256Hex } from "./sha256.ts";

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

test("hex, base64 and base64url are those of Node, and every decoder returns the encoded bytes", () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
			const node = Buffer.from(bytes);
			expect(toHex(bytes)).toBe(node.toString("hex"));
			expect(toBase64(bytes)).toBe(node.toString("base64"));
			expect(toBase64Url(bytes)).toBe(node.toString("base64url"));
			for (const decoded of [
				fromBase64(toBase64(bytes)),
				fromCanonicalBase64(toBase64(bytes)),
				fromCanonicalBase64Url(toBase64Url(bytes)),
			])
				expect(hexOf(decoded ?? new Uint8Array([1]))).toBe(node.toString("hex"));
		}),
	);
});

test("base64 of more bytes than a call may have arguments is that of Node", () => {
	for (const length of [0, 0x5fff, 0x6000, 0x6001, 250_001, 1_000_003]) {
		const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) & 0xff);
		expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
	}
});

test("the canonical decoders accept no other spelling of the same bytes", () => {
	for (const text of ["QQ", "QR==", "QQ==\n", " QQ==", "Q!==", "QQ===", "-_8="])
		expect(fromCanonicalBase64(text), text).toBeUndefined();
	for (const text of ["QQ==", "QR", "+/8", "Q", "Q Q"])
		expect(fromCanonicalBase64Url(text), text).toBeUndefined();
});

test("SHA-256 is the one of FIPS 180-4, of bytes and of text", async () => {
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	expect(await sha256Hex("abc")).toBe(abc);
	expect(await sha256Hex(new TextEncoder().encode("abc"))).toBe(abc);
	expect(await sha256Hex(new ArrayBuffer(0))).toBe(
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	);
});

test("concat joins pieces in their order, empty ones included", () => {
	expect(concat([])).toEqual(new Uint8Array());
	expect(concat([Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3)])).toEqual(Uint8Array.of(1, 2, 3));
});

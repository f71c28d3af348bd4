import { toBase64Url } from "@parley/bytes/base64";
import { expect, test } from "vitest";
import { readRuntimeVariables } from "./runtime-variables.ts";

const read = (text: string) => readRuntimeVariables(new Headers({ "x-parley-variables": text }));
const encode = (value: unknown) => toBase64Url(new TextEncoder().encode(JSON.stringify(value)));

test("variables are read from base64url with or without padding, and none without the header", () => {
	const variables = { name: "Zoë", age: 41, vip: true };
	expect(read(encode(variables))).toEqual(variables);
	expect(read(`${encode({ a: "b" })}=`)).toEqual({ a: "b" });
	expect(readRuntimeVariables(new Headers())).toBeUndefined();
});

test.for([
	["not base64url", "{}"],
	["no JSON", toBase64Url(new TextEncoder().encode("{"))],
	["no UTF-8", toBase64Url(Uint8Array.of(0x22, 0xff, 0x22))],
	["an array", encode(["a"])],
	["a nested value", encode({ a: { b: 1 } })],
	["null", encode({ a: null })],
	["101 entries", encode(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`v${at}`, 1])))],
	["33 KiB", encode({ a: "x".repeat(33 * 1024) })],
	["nothing", ""],
])("%s is refused", ([, text]) => {
	expect(() => read(text as string)).toThrow(/X-Parley-Variables(\.a)?: Must/);
});

import { expect, test } from "vitest";
import { arrivedBytes, missingParts } from "./upload.ts";

test("an interrupted upload goes on with the parts that have not arrived", () => {
	const upload = { size: 25, partSize: 10, etags: { 1: "a", 3: "c" } };
	expect(missingParts(upload)).toEqual([2]);
	expect(arrivedBytes(upload)).toBe(15);
});

test("an upload that has not begun lacks every part", () => {
	const upload = { size: 20, partSize: 10, etags: {} };
	expect(missingParts(upload)).toEqual([1, 2]);
	expect(arrivedBytes(upload)).toBe(0);
});

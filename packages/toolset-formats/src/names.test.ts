import fc from "fast-check";
import { expect, test } from "vitest";
import { nameTools } from "./names.ts";

test("a name that every vendor accepts is kept", () => {
	expect(nameTools(["get_weather", "Book-Table", "_x"])).toEqual(["get_weather", "Book-Table", "_x"]);
});

test("any other name becomes a slug", () => {
	expect(nameTools(["get weather!", "2fast", "Café ändern", "天気", "a".repeat(70)])).toEqual([
		"get_weather",
		"tool_2fast",
		"Cafe_andern",
		"tool",
		"a".repeat(64),
	]);
});

test("names that collide are numbered in order", () => {
	expect(nameTools(["a b", "a_b", "a-b", "a b", "a_b_2"])).toEqual([
		"a_b",
		"a_b_2",
		"a-b",
		"a_b_3",
		"a_b_2_2",
	]);
});

test("every name is valid and unique, and later tools do not change earlier names", () => {
	fc.assert(
		fc.property(fc.array(fc.string({ maxLength: 80 }), { maxLength: 20 }), (names) => {
			const named = nameTools(names);
			expect(new Set(named).size).toBe(names.length);
			for (const name of named) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
			expect(nameTools(names.slice(0, 5))).toEqual(named.slice(0, 5));
		}),
	);
});

import { expect, test } from "vitest";
import { ArgumentSchema, JsonSchema } from "./json-schema.ts";

test("a schema is parsed unchanged", () => {
	const schema = {
		type: "object",
		properties: { a: { $ref: "#/$defs/b" } },
		$defs: { b: {} },
		"x-note": [1],
	};
	expect(JsonSchema.parse(schema)).toEqual(schema);
});

test("each issue of a schema is named with its path", () => {
	expect(
		JsonSchema.safeParse({ properties: { a: { type: "text" } }, minItems: -1 }).error?.issues,
	).toMatchObject([
		{ path: ["minItems"], message: "Must be a whole number, 0 or more" },
		{ path: ["properties", "a", "type"], message: "Must be a JSON type, or a list of JSON types" },
	]);
});

test("an issue names the limit that the schema exceeds", () => {
	const [issue] = JsonSchema.safeParse({ title: "a".repeat(70_000) }).error?.issues ?? [];
	expect(issue).toMatchObject({ code: "custom", params: { limit: "bytes" } });
});

test("the schema of arguments must be of type object", () => {
	expect(ArgumentSchema.safeParse({ type: "object" }).success).toBe(true);
	for (const schema of [{}, { type: "string" }, { type: ["object"] }, true])
		expect(ArgumentSchema.safeParse(schema).success).toBe(false);
});

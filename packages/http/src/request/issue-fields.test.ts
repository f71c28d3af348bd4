import { sayIssue } from "@parley/contracts/shared/issue-wording";
import { expect, test } from "vitest";
import { z } from "zod";
import { toFields, type Validated } from "./issue-fields.ts";

function fieldsOf(schema: z.ZodType, value: unknown, place: Validated["place"] = ""): Record<string, string> {
	const issues = schema.safeParse(value, { error: sayIssue }).error?.issues ?? [];
	const fields = toFields(issues, { schema, value, place });
	return Object.fromEntries(fields.map(({ path, message }) => [path, message]));
}

const Auth = z.discriminatedUnion("type", [
	z.strictObject({ type: z.literal("none") }),
	z.strictObject({ type: z.literal("bearer"), secret_name: z.string() }),
]);

test("what is missing is required, whatever its type", () => {
	const body = z.strictObject({
		url: z.string(),
		count: z.int(),
		mode: z.enum(["cold", "warm"]),
		value: z.union([z.string(), z.number()]),
		auth: Auth,
		items: z.array(z.strictObject({ name: z.string() })),
	});
	expect(fieldsOf(body, { auth: {}, items: [{ name: "a" }, {}] })).toEqual({
		url: "Is required",
		count: "Is required",
		mode: "Is required",
		value: "Is required",
		"auth.type": 'Is required. Must be one of "none", "bearer"',
		"items.1.name": "Is required",
	});
	expect(fieldsOf(body, undefined)).toEqual({ "": "A JSON body is required" });
	expect(fieldsOf(z.strictObject({ to: z.coerce.number() }), {}, "query")).toEqual({
		"query.to": "Is required",
	});
});

test("what is there and of the wrong kind is not called missing", () => {
	const body = z.strictObject({ url: z.string(), mode: z.enum(["cold", "warm"]) });
	expect(fieldsOf(body, { url: null, mode: "hot" })).toEqual({
		url: "Must be a string",
		mode: 'Must be one of "cold", "warm"',
	});
});

test("a rule of our own keeps its words for a field that is not there", () => {
	const body = z
		.strictObject({ one: z.string().optional(), other: z.string().optional() })
		.refine(({ one, other }) => one ?? other, { path: ["one"], message: "One of one and other" });
	expect(fieldsOf(body, {})).toEqual({ one: "One of one and other" });
});

test("a discriminator of another value names those that can be sent", () => {
	const tool = z.discriminatedUnion("tool_type", [
		z.strictObject({ tool_type: z.literal("code").optional().default("code") }),
		z.strictObject({ tool_type: z.literal("end_call") }),
	]);
	expect(fieldsOf(tool, { tool_type: "shell" })).toEqual({ tool_type: 'Must be one of "code", "end_call"' });
});

test("the closest branch of a union names the fault", () => {
	const text = z.union([z.string(), z.strictObject({ template: z.string() })]);
	expect(fieldsOf(z.strictObject({ text }), { text: { template: 7 } })).toEqual({
		"text.template": "Must be a string",
	});
});

test("a value of no kind that a union takes is told every kind", () => {
	const defaults = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
	const message = "Must be a string, a number, or true or false";
	expect(fieldsOf(defaults, { city: {}, day: null, hour: 1 })).toEqual({ city: message, day: message });
	const types = z.strictObject({ type: z.union([z.string(), z.array(z.string())]) });
	expect(fieldsOf(types, { type: 7 })).toEqual({ type: "Must be a string or a list" });
	expect(fieldsOf(types, { type: [7] })).toEqual({ "type.0": "Must be a string" });
});

test("an object that has both of two properties, or neither, is asked for one of them", () => {
	const header = z.union([
		z.strictObject({ name: z.string(), value: z.string() }),
		z.strictObject({ name: z.string(), secret_name: z.string() }),
	]);
	const body = z.strictObject({ headers: z.array(header) });
	const headers = [
		{ name: "a" },
		{ name: "b", value: "v", secret_name: "S" },
		{ name: "c", value: 1 },
		{ value: "v" },
		{ name: "e", value: "v", other: 1 },
	];
	expect(fieldsOf(body, { headers })).toEqual({
		"headers.0": "Must have either secret_name or value",
		"headers.1": "Must have either secret_name or value, not both",
		"headers.2.value": "Must be a string",
		"headers.3.name": "Is required",
		"headers.4.other": "Unknown property",
	});
});

test("the branch that accepts more names the fault when two are equally close", () => {
	const language = z.union([z.literal("auto"), z.string().regex(/^[a-z]{2}$/, "Not a language")]);
	expect(fieldsOf(z.strictObject({ language }), { language: 7 })).toEqual({ language: "Must be a string" });
	expect(fieldsOf(z.strictObject({ language }), { language: "A" })).toEqual({ language: "Not a language" });
});

test("an unknown property is named, and an unknown parameter beside those that are known", () => {
	const paging = z.strictObject({ page: z.string().optional(), page_size: z.string().optional() });
	expect(fieldsOf(paging, { limit: "2" })).toEqual({ limit: "Unknown property" });
	expect(fieldsOf(paging, { limit: "2" }, "query")).toEqual({
		"query.limit": "Unknown parameter; known: page, page_size",
	});
	expect(fieldsOf(z.strictObject({}), { limit: "2" }, "query")).toEqual({
		"query.limit": "Unknown parameter; none is taken",
	});
});

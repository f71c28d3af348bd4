import { expect, test } from "vitest";
import { z } from "zod";
import { sayIssue } from "./issue-wording.ts";

const told = (schema: z.ZodType, value: unknown) =>
	schema.safeParse(value, { error: sayIssue }).error?.issues.map(({ message }) => message);

test.each<[z.ZodType, unknown, string]>([
	[z.string(), 7, "Must be a string"],
	[z.int(), "7", "Must be a whole number"],
	[z.int(), 7.5, "Must be a whole number"],
	[z.number(), Number.NaN, "Must be a number"],
	[z.boolean(), "yes", "Must be true or false"],
	[z.array(z.string()), {}, "Must be a list"],
	[z.strictObject({}), [], "Must be an object"],
	[z.record(z.string(), z.string()), null, "Must be an object"],
	[z.string().min(1), "", "Must not be empty"],
	[z.string().min(2), "a", "Must have at least 2 characters"],
	[z.string().max(500), "a".repeat(501), "Must have at most 500 characters"],
	[z.array(z.int()).min(1), [], "Must not be empty"],
	[z.array(z.int()).max(1), [1, 2], "Must have at most 1 item"],
	[z.number().min(0), -1, "Must be at least 0"],
	[z.number().gt(0), 0, "Must be more than 0"],
	[z.number().lt(3), 3, "Must be less than 3"],
	[z.int().min(1), 0, "Must be at least 1"],
	[z.number().multipleOf(5), 7, "Must be a multiple of 5"],
	[z.enum(["x", "y"]), "z", 'Must be one of "x", "y"'],
	[z.literal("presign"), "other", 'Must be "presign"'],
	[z.uuid(), "7", "Must be a UUID"],
	[z.iso.datetime(), "now", "Must be a date and time with its zone, such as 2026-11-20T09:30:00Z"],
	[z.iso.date(), "now", "Must be a date such as 2026-11-20"],
	[z.url(), "there", "Must be a URL, such as https://example.com/path"],
	[z.base64(), "§", "Must be base64 (RFC 4648)"],
])("an issue is a plain sentence: %#", (schema, value, message) => {
	expect(told(schema, value)).toEqual([message]);
});

test("a limit has the unit that its field's name ends in", () => {
	const upload = z.object({ size_bytes: z.int().max(5 * 1024 ** 3), overlap_hours: z.int().max(168) });
	expect(told(upload, { size_bytes: 1e12, overlap_hours: 1000 })).toEqual([
		"Must be at most 5368709120 bytes (5 GiB)",
		"Must be at most 168 hours",
	]);
});

test("a schema's own words go before", () => {
	expect(told(z.string().regex(/^a/, "Begins with a"), "b")).toEqual(["Begins with a"]);
	expect(
		told(
			z.string().refine((text) => text === "a", "Only a"),
			"b",
		),
	).toEqual(["Only a"]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { callWorker } from "../../test/client.ts";
import { app } from "../../test/worker.ts";
import { exampleOf, type JsonSchema } from "./examples/examples.ts";
import { invalidExamples } from "./examples/invalid-examples.ts";
import { describeParameters } from "./parameters.ts";

test("the document describes every operation, its refusals and its scope", async () => {
	const response = await callWorker("GET", "/openapi.json");
	const { openapi, paths } = (await response.json()) as ReturnType<typeof app.describe>;
	expect(openapi).toBe("3.1.0");
	for (const spec of app.specs) expect(paths[spec.path]?.[spec.method]?.operationId).toBe(spec.operationId);
	const create = paths["/v1/notes"]?.post;
	expect(create).toMatchObject({
		"x-required-scope": "tools:write",
		security: [{ bearer: [] }, { session: [] }],
	});
	expect(Object.keys(create?.responses ?? {})).toEqual([
		...["201", "400", "401", "403", "409", "413", "415", "422", "429", "500", "503"],
	]);
});

test("the page lists every operation and loads nothing", async () => {
	const response = await callWorker("GET", "/docs");
	const page = await response.text();
	expect(response.headers.get("content-type")).toContain("text/html");
	for (const spec of app.specs) expect(page).toContain(`<code>${spec.path}</code>`);
	expect(page).not.toMatch(/<script|src=/);
});

test("every refusal has an example that the operation gives", () => {
	const document = app.describe();
	const create = document.paths["/v1/notes"]?.post;
	const examplesOf = (status: number) => create?.responses?.[status]?.content?.["application/json"]?.examples;
	expect(examplesOf(422)?.VALIDATION_FAILED).toMatchObject({
		value: { error: { code: "VALIDATION_FAILED", fields: [{ path: "text", message: "Is required" }] } },
	});
	expect(examplesOf(403)?.FORBIDDEN).toMatchObject({
		value: { detail: "This API key lacks the scope tools:write" },
	});
	expect(Object.keys(examplesOf(409) ?? {})).toEqual([
		...["TOOL_NAME_CONFLICT", "AGENT_LOCKED", "IDEMPOTENCY_IN_PROGRESS"],
	]);
	expect(examplesOf(429)?.RATE_LIMITED).toEqual({ $ref: "#/components/examples/agents.RATE_LIMITED" });
	expect(document.components?.examples?.["agents.RATE_LIMITED"]).toMatchObject({
		value: { error: { code: "RATE_LIMITED", retryable: true } },
	});
});

test("an example in the document is what the operation takes and gives", () => {
	expect(invalidExamples(app)).toEqual([]);
});

const shapes = fc.letrec<{ schema: z.ZodType }>((tie) => ({
	schema: fc.oneof(
		{ depthSize: "small", withCrossShrink: true },
		fc.constantFrom<z.ZodType>(
			z.string().min(1).max(20),
			z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
			z.string().regex(/^[0-9a-f]{64}$/),
			z.uuid(),
			z.url(),
			z.iso.datetime(),
			z.int().min(3).max(9),
			z.number().gt(5),
			z.boolean().nullable(),
			z.enum(["b", "a"]),
			z.literal("fixed"),
			z.record(z.string(), z.unknown()),
			z.string().default("given"),
		),
		tie("schema").map((item) => z.array(item).min(2).max(3)),
		tie("schema").map((item) => z.strictObject({ one: item, two: item.optional() })),
		fc.tuple(tie("schema"), tie("schema")).map(([a, b]) => z.union([a, b])),
	),
}));

test("whatever the schema, its example validates, with all properties and with the required ones", () => {
	fc.assert(
		fc.property(shapes.schema, fc.constantFrom("all" as const, "required" as const), (schema, detail) => {
			const described = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
			expect(schema.safeParse(exampleOf(described, {}, detail)).error).toBeUndefined();
		}),
	);
});

test("the example of a named schema is shown, also where the whole may be left out", () => {
	const named: Record<string, JsonSchema> = { Run: { type: "object", example: { confirm: true } } };
	const body = { $ref: "#/components/schemas/Run", default: {} };
	expect(exampleOf(body, named, "required")).toEqual({ confirm: true });
});

test("a query parameter is documented by the type it is read as", () => {
	const query = z.strictObject({
		limit: z.coerce.number().int().min(0).max(200).default(100),
		dry_run: z.stringbool().optional().meta({ description: "Make nothing" }),
		since: z.iso.datetime(),
		status: z.array(z.enum(["a", "b"]).meta({ id: "Status" })).optional(),
	});
	expect(describeParameters("query", query)).toMatchObject([
		{ name: "limit", required: false, schema: { type: "integer", minimum: 0, maximum: 200, default: 100 } },
		{ name: "dry_run", required: false, description: "Make nothing", schema: { type: "boolean" } },
		{ name: "since", required: true, schema: { type: "string", format: "date-time" } },
		{ name: "status", required: false, schema: { type: "array", items: { enum: ["a", "b"] } } },
	]);
});

import { expect, test } from "vitest";
import { z } from "zod";
import { createSchemaWriter } from "./schemas.ts";
import { describeTaggedUnions } from "./tagged-unions.ts";

function describe(schema: z.ZodType) {
	const writer = createSchemaWriter();
	const text = writer.write(schema, "output");
	const { components, resolve } = writer.finish();
	const root = resolve(text, "output");
	describeTaggedUnions(components, [root]);
	return { components, root };
}

const Auth = z
	.discriminatedUnion("type", [
		z.object({ type: z.literal("none") }),
		z.object({ type: z.literal("bearer"), secret_name: z.string() }),
	])
	.meta({ id: "Auth" });

test("a tagged union names its tag and a component for each variant", () => {
	const { components } = describe(z.object({ auth: Auth }));
	expect(components.Auth?.discriminator).toEqual({
		propertyName: "type",
		mapping: { none: "#/components/schemas/AuthNone", bearer: "#/components/schemas/AuthBearer" },
	});
	expect(components.Auth?.oneOf).toEqual([
		{ $ref: "#/components/schemas/AuthNone" },
		{ $ref: "#/components/schemas/AuthBearer" },
	]);
	expect(components.AuthBearer?.properties?.secret_name).toEqual({ type: "string" });
});

test("a union without a tag stays as it is", () => {
	const Either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]).meta({ id: "Either" });
	expect(describe(z.object({ either: Either })).components.Either?.discriminator).toBeUndefined();
});

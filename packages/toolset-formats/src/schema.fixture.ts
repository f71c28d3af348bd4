import fc from "fast-check";
import type { Schema } from "./schema.ts";

const NAMES = ["city", "days", "a-b", "naïve", "unit", "$x", "with space"];
const name = fc.constantFrom(...NAMES);

/** Arbitrary JSON Schemas of the kinds that tools have, with keywords inside and outside what vendors accept. */
export const anySchema: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => ({
	schema: fc.oneof(
		{ maxDepth: 4, depthSize: "small" },
		fc.constant({ type: "string" }),
		fc.record<Schema>({
			type: fc.constant("string"),
			enum: fc.array(fc.string({ minLength: 1 }), { minLength: 1 }),
		}),
		fc.record<Schema>({
			type: fc.constantFrom("string", ["string", "null"], ["string", "integer"]),
			minLength: fc.nat(5),
			format: fc.constantFrom("date-time", "email"),
		}),
		fc.record<Schema>({
			type: fc.constantFrom("integer", "number"),
			minimum: fc.integer(),
			default: fc.integer(),
		}),
		fc.record<Schema>({ const: fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)) }),
		fc.constant({ $ref: "#/$defs/Node" }),
		fc.constant({ $ref: "#/$defs/Missing" }),
		fc.constant({}),
		fc.record<Schema>({ type: fc.constant("array"), items: tie("schema"), uniqueItems: fc.boolean() }),
		fc.record<Schema>({ type: fc.constant("array"), prefixItems: fc.array(tie("schema"), { maxLength: 2 }) }),
		fc.record<Schema>({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
		fc.record<Schema>({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
		objectOf(tie("schema")),
	),
})).schema as fc.Arbitrary<Schema>;

function objectOf(child: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
	return fc
		.record({
			properties: fc.dictionary(name, child, { maxKeys: 4 }),
			isClosed: fc.boolean(),
			requiresAll: fc.boolean(),
		})
		.map(({ properties, isClosed, requiresAll }) => ({
			type: "object",
			properties,
			...(isClosed && { additionalProperties: false }),
			...(requiresAll && { required: Object.keys(properties) }),
		}));
}

/** Arbitrary parameters of a tool. `Node` refers to itself. */
export const anyParameters: fc.Arbitrary<Schema> = fc
	.tuple(
		objectOf(anySchema),
		fc.option(fc.constantFrom("anyOf", "allOf", "oneOf", "not"), { nil: undefined }),
	)
	.map(([root, combinator]) => ({
		...root,
		$defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" } } } },
		...(combinator && { [combinator]: combinator === "not" ? {} : [{}] }),
	}));

import { dereference, type Schema, validate } from "@cfworker/json-schema";
import { resolvePointer } from "@parley/contracts/json-schema-tree";

const MAX_DEPTH = 128;
const TYPES = ["null", "boolean", "object", "array", "number", "string", "integer"];

const one = { $ref: "#" };
const list = { type: "array", minItems: 1, items: one };
const named = { type: "object", additionalProperties: one };
const count = { type: "integer", minimum: 0 };
const number = { type: "number" };
const text = { type: "string" };
const names = { type: "array", items: text };
/** Draft 4 has these as booleans. */
const exclusive = { type: ["number", "boolean"] };

/** The forms of keywords that all drafts since 4 agree on, as a schema of schemas. */
const META = {
	type: ["object", "boolean"],
	properties: {
		type: { anyOf: [{ enum: TYPES }, { type: "array", minItems: 1, items: { enum: TYPES } }] },
		...{
			properties: named,
			patternProperties: named,
			$defs: named,
			definitions: named,
			dependentSchemas: named,
		},
		...{ prefixItems: list, allOf: list, anyOf: list, oneOf: list },
		items: { anyOf: [one, { type: "array", items: one }] },
		...{ additionalProperties: one, unevaluatedProperties: one, propertyNames: one, additionalItems: one },
		...{ unevaluatedItems: one, contains: one, not: one, if: one, else: one },
		// biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
		then: one,
		...{ required: names, dependentRequired: { type: "object", additionalProperties: names } },
		...{ enum: { type: "array" }, $ref: text, pattern: text, format: text, uniqueItems: { type: "boolean" } },
		...{ minimum: number, maximum: number, exclusiveMinimum: exclusive, exclusiveMaximum: exclusive },
		multipleOf: { type: "number", exclusiveMinimum: 0 },
		...{ minLength: count, maxLength: count, minItems: count, maxItems: count, minContains: count },
		...{ maxContains: count, minProperties: count, maxProperties: count },
	},
} as Schema;
const LOOKUP = dereference(META);

/** Members of a schema that hold data, where a `$ref` is no reference. */
const DATA = new Set(["default", "const", "enum", "examples", "example"]);

/**
 * What makes a server's JSON Schema unusable, of whatever draft; undefined when nothing does. References to other documents
 * are left as they are: nothing is ever fetched for them.
 */
export function schemaFault(schema: object): string | undefined {
	const refs: string[] = [];
	const stack: { value: unknown; depth: number }[] = [{ value: schema, depth: 1 }];
	for (let at = stack.pop(); at; at = stack.pop()) {
		if (typeof at.value !== "object" || at.value === null) continue;
		if (at.depth > MAX_DEPTH) return `nested deeper than ${MAX_DEPTH} levels`;
		for (const [key, value] of Object.entries(at.value)) {
			if (key === "$ref" && typeof value === "string") refs.push(value);
			else if (!DATA.has(key)) stack.push({ value, depth: at.depth + 1 });
		}
	}
	const lost = refs.find((ref) => /^#(\/|$)/.test(ref) && resolvePointer(schema, ref) === undefined);
	if (lost !== undefined) return `${lost} leads nowhere`;
	const [error] = validate(schema, META, "2020-12", LOOKUP).errors.slice(-1);
	return error && `${error.instanceLocation} is not of the form that JSON Schema gives it`;
}

import { z } from "zod";
import { sayIssue } from "./issue-wording.ts";
import { findLoop, resolvePointer, type Subschema, subschemasOf } from "./json-schema-tree.ts";
import { linearPattern, PatternError } from "./linear-pattern.ts";

const MAX_SCHEMA_BYTES = 64 * 1024;
export const MAX_SCHEMA_DEPTH = 32;
export const MAX_SCHEMA_PROPERTIES = 256;

const SimpleType = z.enum(["null", "boolean", "object", "array", "number", "string", "integer"]);
const Count = z.int().min(0);
const Names = z
	.array(z.string())
	.refine((names) => new Set(names).size === names.length, "Names must not repeat");
const Named = z.record(z.string(), z.unknown());
const List = z.array(z.unknown()).min(1);
/** A value is matched against it in time in proportion to its length, which not every regular expression can be. */
const Pattern = z.string().superRefine((text, ctx) => {
	const message = patternFault(text);
	if (message !== undefined) ctx.addIssue({ code: "custom", message });
});
const Refused = z.never({ error: "Not supported: references stay within the schema and are JSON pointers" });

/** The form of each keyword of JSON Schema 2020-12 but those that hold one schema. Any other keyword is an annotation. */
const KEYWORDS: Record<string, z.ZodType> = {
	$schema: z.literal("https://json-schema.org/draft/2020-12/schema", {
		error: "Must be https://json-schema.org/draft/2020-12/schema",
	}),
	$ref: z.string().regex(/^#(\/|$)/, "Must be a JSON pointer within the schema, such as #/$defs/name"),
	...{ $id: Refused, $anchor: Refused, $dynamicRef: Refused, $dynamicAnchor: Refused },
	type: z.union([SimpleType, z.array(SimpleType).min(1)], {
		error: "Must be a JSON type, or a list of them",
	}),
	enum: z.array(z.unknown()),
	multipleOf: z.number().positive(),
	...{ maximum: z.number(), exclusiveMaximum: z.number(), minimum: z.number(), exclusiveMinimum: z.number() },
	...{ maxLength: Count, minLength: Count, maxItems: Count, minItems: Count, maxContains: Count },
	...{ minContains: Count, maxProperties: Count, minProperties: Count },
	pattern: Pattern,
	uniqueItems: z.boolean(),
	required: Names,
	dependentRequired: z.record(z.string(), Names),
	...{ properties: Named, patternProperties: z.record(Pattern, z.unknown()), dependentSchemas: Named },
	...{ $defs: Named, prefixItems: List, allOf: List, anyOf: List, oneOf: List },
	format: z.string(),
};

/** A JSON Schema of dialect 2020-12 that refers to nothing outside itself. */
export const JsonSchema = z
	.record(z.string(), z.unknown())
	.superRefine((schema, ctx) => {
		for (const { path, message } of schemaFaults(schema)) ctx.addIssue({ code: "custom", path, message });
	})
	.meta({ id: "JsonSchema", description: "JSON Schema 2020-12: 64 KiB, depth 32, 256 properties at most" });
export type JsonSchema = z.infer<typeof JsonSchema>;

/** The schema of a tool's arguments: an object. */
export const ArgumentSchema = JsonSchema.refine((schema) => schema.type === "object", {
	path: ["type"],
	message: "Must be object",
}).meta({ id: "ArgumentSchema" });

type Fault = { path: PropertyKey[]; message: string };

function schemaFaults(root: object): Fault[] {
	if (new TextEncoder().encode(JSON.stringify(root)).byteLength > MAX_SCHEMA_BYTES)
		return [{ path: [], message: `Larger than ${MAX_SCHEMA_BYTES / 1024} KiB` }];
	let properties = 0;
	const faults: Fault[] = [];
	const queue: Subschema[] = [{ schema: root, path: [], depth: 1 }];
	for (const { schema, path, depth } of queue) {
		if (depth > MAX_SCHEMA_DEPTH)
			return [{ path, message: `Nested deeper than ${MAX_SCHEMA_DEPTH} schemas` }];
		if (typeof schema === "boolean") continue;
		if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
			faults.push({ path, message: "Must be a schema: an object or a boolean" });
			continue;
		}
		properties += countProperties(schema);
		if (properties > MAX_SCHEMA_PROPERTIES)
			return [{ path: [], message: `More than ${MAX_SCHEMA_PROPERTIES} properties` }];
		faults.push(
			...keywordFaults(schema, root).map((fault) => ({ ...fault, path: [...path, ...fault.path] })),
		);
		queue.push(...subschemasOf(schema, path, depth + 1));
	}
	if (faults.length === 0 && findLoop(root)) return [{ path: [], message: "A $ref leads back to itself" }];
	return faults;
}

function keywordFaults(schema: object, root: object): Fault[] {
	return Object.entries(schema).flatMap(([keyword, value]) => {
		const form = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
		const issues = form?.safeParse(value, { error: sayIssue }).error?.issues ?? [];
		if (issues.length === 0 && keyword === "$ref" && resolvePointer(root, String(value)) === undefined)
			return [{ path: [keyword], message: "Leads nowhere" }];
		return issues.map(({ path, message }) => ({ path: [keyword, ...path], message }));
	});
}

function countProperties(schema: object): number {
	const properties = "properties" in schema ? schema.properties : undefined;
	return typeof properties === "object" && properties !== null ? Object.keys(properties).length : 0;
}

function patternFault(text: string): string | undefined {
	try {
		linearPattern(text);
		return undefined;
	} catch (error) {
		if (!(error instanceof PatternError)) throw error;
		return error.message;
	}
}

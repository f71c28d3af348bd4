import { findSchemaIssues, SCHEMA_LIMITS } from "@parley/json-schema/schema-issues";
import { z } from "zod";

const { bytes, depth, properties } = SCHEMA_LIMITS;

/** A JSON Schema of dialect 2020-12 that refers to nothing outside itself. An issue's `params.limit` names the limit it exceeds. */
export const JsonSchema = z
	.record(z.string(), z.unknown())
	.superRefine((schema, ctx) => {
		for (const { path, message, limit } of findSchemaIssues(schema))
			ctx.addIssue({ code: "custom", path, message, params: { limit } });
	})
	.meta({
		id: "JsonSchema",
		description: `JSON Schema 2020-12: at most ${bytes / 1024} KiB, depth ${depth}, ${properties} properties`,
	});
export type JsonSchema = z.infer<typeof JsonSchema>;

/** The schema of a tool's arguments: an object. */
export const ArgumentSchema = JsonSchema.refine((schema) => schema.type === "object", {
	path: ["type"],
	message: 'Must be "object"',
}).meta({ id: "ArgumentSchema" });

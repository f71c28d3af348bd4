import { expect, test } from "vitest";
import type { OpenApiDocument } from "./document.ts";
import { mergeDocuments } from "./merge.ts";

const info = { title: "All", version: "1", description: "All planes" };
const plane = (path: string, schemas: Record<string, object>, tag: string): OpenApiDocument => ({
	openapi: "3.1.0",
	info,
	tags: [{ name: tag }],
	components: { schemas, securitySchemes: { bearer: { type: "http" } } },
	paths: {
		[path]: {
			get: {
				operationId: path,
				responses: {
					200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Item" } } } },
				},
			},
		},
	},
});

const schemaAt = (document: OpenApiDocument, path: string) =>
	document.paths[path]?.get?.responses?.[200]?.content?.["application/json"]?.schema?.$ref;

test("paths, tags and equal schemas of all planes come together", () => {
	const item = { type: "object" };
	const merged = mergeDocuments(info, [
		{ name: "agents", document: plane("/a", { Item: item }, "T") },
		{ name: "batch", document: plane("/b", { Item: item, Job: item }, "T") },
	]);
	expect(Object.keys(merged.paths)).toEqual(["/a", "/b"]);
	expect(Object.keys(merged.components?.schemas ?? {})).toEqual(["Item", "Job"]);
	expect(merged.tags).toEqual([{ name: "T" }]);
});

test("a name that means two things is told apart by the plane", () => {
	const merged = mergeDocuments(info, [
		{ name: "agents", document: plane("/a", { Item: { type: "object" } }, "A") },
		{ name: "batch", document: plane("/b", { Item: { type: "string" } }, "B") },
	]);
	expect(merged.components?.schemas).toEqual({ Item: { type: "object" }, BatchItem: { type: "string" } });
	expect(schemaAt(merged, "/a")).toBe("#/components/schemas/Item");
	expect(schemaAt(merged, "/b")).toBe("#/components/schemas/BatchItem");
});

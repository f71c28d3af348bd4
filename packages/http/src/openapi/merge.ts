import type { OpenApiDocument } from "./document.ts";
import type { JsonSchema } from "./examples/examples.ts";

/**
 * One document of several planes. A schema name that two planes use for different things gets the later plane's name in
 * front; one that means the same is shared.
 */
export function mergeDocuments(
	info: OpenApiDocument["info"],
	planes: { name: string; document: OpenApiDocument }[],
): OpenApiDocument {
	const merged: OpenApiDocument = { openapi: "3.1.0", info, servers: [{ url: "/" }], tags: [], paths: {} };
	const schemas: Record<string, JsonSchema> = {};
	const examples: NonNullable<OpenApiDocument["components"]>["examples"] = {};
	const securitySchemes: Record<string, unknown> = {};
	for (const { name, document } of planes) {
		const own = renameClashes(document, schemas, name);
		Object.assign(schemas, own.components?.schemas);
		Object.assign(examples, own.components?.examples);
		Object.assign(securitySchemes, own.components?.securitySchemes);
		Object.assign(merged.paths, own.paths);
		if (own.webhooks) merged.webhooks = { ...merged.webhooks, ...own.webhooks };
		const known = new Set(merged.tags?.map((tag) => tag.name));
		merged.tags?.push(...(own.tags ?? []).filter((tag) => !known.has(tag.name)));
	}
	return { ...merged, components: { schemas, examples, securitySchemes } };
}

function renameClashes(
	document: OpenApiDocument,
	taken: Record<string, JsonSchema>,
	plane: string,
): OpenApiDocument {
	const schemas = document.components?.schemas ?? {};
	const clashing = Object.keys(schemas).filter(
		(name) => taken[name] !== undefined && JSON.stringify(taken[name]) !== JSON.stringify(schemas[name]),
	);
	if (clashing.length === 0) return document;
	const prefix = plane.charAt(0).toUpperCase() + plane.slice(1);
	const text = clashing.reduce(
		(json, name) =>
			json.replaceAll(`"#/components/schemas/${name}"`, `"#/components/schemas/${prefix}${name}"`),
		JSON.stringify(document),
	);
	const renamed: OpenApiDocument = JSON.parse(text);
	const entries = Object.entries(renamed.components?.schemas ?? {});
	return {
		...renamed,
		components: {
			...renamed.components,
			schemas: Object.fromEntries(
				entries.map(([name, schema]) => [clashing.includes(name) ? prefix + name : name, schema]),
			),
		},
	};
}

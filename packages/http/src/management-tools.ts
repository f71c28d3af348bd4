import type { ManagementTool, ToolAnnotations } from "@parley/contracts/internal/management-rpc";
import { z } from "zod";
import { describeParameters } from "./openapi/parameters.ts";
import { tidy } from "./openapi/schemas/schemas.ts";
import type { RouteSpec } from "./route.ts";

/**
 * Returns the operations that are marked with `mcp`, as tools of the management MCP server. Path and query parameters are
 * arguments of the tool. The body is its argument `body`.
 */
export const managementTools = (specs: readonly RouteSpec[]): ManagementTool[] =>
	specs.flatMap((spec) => (spec.mcp ? [toTool(spec)] : []));

function toTool(spec: RouteSpec): ManagementTool {
	const parameters = [
		...(spec.params ? describeParameters("path", spec.params) : []),
		...(spec.query ? describeParameters("query", spec.query) : []),
	];
	const properties: Record<string, unknown> = Object.fromEntries(
		parameters.map(({ name, description, schema }) => [
			name,
			{ ...schema, ...(description && { description }) },
		]),
	);
	const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
	if (spec.body) {
		properties.body = toJsonSchema(spec.body);
		if (!spec.body.safeParse(undefined).success) required.push("body");
	}
	return {
		name: spec.operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
		description: [spec.summary, spec.description].filter(Boolean).join(". "),
		inputSchema: { type: "object", properties, required },
		annotations: annotationsOf(spec),
		scope: spec.access === "open" || spec.access === "any-key" ? null : spec.access,
		method: spec.method.toUpperCase(),
		path: spec.path,
		query: Object.keys(spec.query?.shape ?? {}),
		hasBody: spec.body !== undefined,
	};
}

function annotationsOf({ method, summary, mcp }: RouteSpec): ToolAnnotations {
	const isUpdate = method === "put" || method === "patch" || method === "delete";
	const given = mcp === true ? {} : mcp;
	return {
		title: summary,
		readOnlyHint: method === "get",
		destructiveHint: isUpdate,
		idempotentHint: method === "get" || isUpdate,
		openWorldHint: false,
		...given,
	};
}

/** Writes a schema without references: some models' tool formats take none. */
function toJsonSchema(schema: z.ZodType): Record<string, unknown> {
	const { $schema, ...written } = z.toJSONSchema(schema, {
		io: "input",
		unrepresentable: "any",
		reused: "inline",
		metadata: withoutIds,
		override: tidy,
	});
	return written;
}

/** The descriptions and examples of all schemas. Without their ids, nothing is moved into `$defs`. */
const withoutIds = {
	get: (schema: z.ZodType) => {
		const { id, ...meta } = z.globalRegistry.get(schema) ?? {};
		return meta;
	},
	has: (schema: z.ZodType) => z.globalRegistry.has(schema),
} as unknown as z.core.$ZodRegistry<z.core.GlobalMeta>;

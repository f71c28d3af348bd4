import type { App } from "../../app.ts";
import type { BaseEnv } from "../../base-env.ts";

type Schema = {
	$ref?: string;
	description?: string;
	properties?: Record<string, Schema>;
	items?: Schema;
	additionalProperties?: Schema | boolean;
	anyOf?: Schema[];
	oneOf?: Schema[];
	allOf?: Schema[];
};
type Content = { content?: Record<string, { schema?: unknown }> };

/** For tests: the parameters and fields of an app's documented requests and answers of which the document says nothing. */
export function undescribedFields<E extends BaseEnv>(app: Pick<App<E>, "describe">): string[] {
	const { paths, components } = app.describe();
	const schemas = (components?.schemas ?? {}) as Record<string, Schema>;
	const found = new Set<string>();
	const walked = new Set<string>();
	const nameOf = ({ $ref }: Schema) => $ref?.split("/").at(-1);
	const isDescribed = (schema: Schema): boolean => {
		const name = nameOf(schema);
		const inner = [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(name ? [schemas[name] ?? {}] : [])];
		return schema.description !== undefined || inner.some(isDescribed);
	};
	const walk = (schema: Schema, path: string): void => {
		const name = nameOf(schema);
		if (name !== undefined) {
			if (walked.has(name)) return;
			walked.add(name);
			walk(schemas[name] ?? {}, name);
			return;
		}
		for (const [key, property] of Object.entries(schema.properties ?? {})) {
			if (!isDescribed(property)) found.add(`${path}.${key}`);
			walk(property, `${path}.${key}`);
		}
		if (schema.items) walk(schema.items, `${path}[]`);
		if (typeof schema.additionalProperties === "object") walk(schema.additionalProperties, `${path}.*`);
		for (const one of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? []))
			walk(one, path);
	};
	for (const [path, operations] of Object.entries(paths)) {
		for (const [method, operation] of Object.entries(operations)) {
			const at = `${method} ${path}`;
			const { parameters = [] } = operation as { parameters?: { name: string; description?: string }[] };
			for (const { name, description } of parameters) if (!description) found.add(`${at} ${name}`);
			const bodies: Content[] = [operation.requestBody ?? {}, ...Object.values(operation.responses ?? {})];
			for (const { content = {} } of bodies)
				for (const { schema } of Object.values(content)) if (schema) walk(schema as Schema, at);
		}
	}
	return [...found];
}

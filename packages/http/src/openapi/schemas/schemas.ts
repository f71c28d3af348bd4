import { z } from "zod";
import type { Components, JsonSchema } from "../examples/examples.ts";

/** Which side of a schema is meant: what a caller may send, or what an answer holds. They differ where there are defaults. */
export type Side = "input" | "output";

type Definitions = Record<string, Partial<Record<Side, string>>>;

const POINTER = /"#\/\$defs\/([^"]+)"/g;
const FORMATTED: readonly unknown[] = ["uuid", "date-time"];

/**
 * Schemas in the form of the document, and beside them the named ones that they refer to. Zod's own conversion is used, for
 * the registry's loses `null` where a named schema may be null.
 */
export function createSchemaWriter() {
	const definitions: Definitions = {};

	/** The schema with references to `#/$defs/…`, which `resolve` turns into references to components. */
	function write(schema: z.ZodType, side: Side): string {
		const options = { io: side, unrepresentable: "any", override: tidy } as const;
		const { $schema, $defs, ...root } = z.toJSONSchema(schema, options);
		for (const [name, definition] of Object.entries($defs ?? {})) {
			definitions[name] = { ...definitions[name], [side]: JSON.stringify(definition) };
		}
		return JSON.stringify(root);
	}

	/** To be called once every schema is written: only then is known which names need two forms. */
	function finish(): { components: Components; resolve: (text: string, side: Side) => JsonSchema } {
		const double = twofold(definitions);
		const nameOf = (name: string, side: Side) =>
			side === "input" && double.has(name) ? `${name}Input` : name;
		const resolve = (text: string, side: Side): JsonSchema =>
			JSON.parse(text.replaceAll(POINTER, (_, name) => `"#/components/schemas/${nameOf(name, side)}"`));
		const components: Components = {};
		for (const [name, forms] of Object.entries(definitions))
			for (const side of ["input", "output"] as const) {
				const text = forms[side];
				if (text !== undefined) components[nameOf(name, side)] = resolve(text, side);
			}
		return { components, resolve };
	}

	return { write, finish };
}

/** Names whose two sides differ, by themselves or by what they refer to. */
function twofold(definitions: Definitions): Set<string> {
	const both = Object.entries(definitions).filter(([, { input, output }]) => input && output);
	const double = new Set(both.filter(([, { input, output }]) => input !== output).map(([name]) => name));
	for (let size = -1; size !== double.size; ) {
		size = double.size;
		for (const [name, { input = "" }] of both)
			if ([...input.matchAll(POINTER)].some(([, target]) => double.has(target ?? ""))) double.add(name);
	}
	return double;
}

type Written = { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema };

/**
 * Leaves out what only repeats: the pattern of a format, the bounds of a safe integer, that a name is a string. And an
 * object that is not declared strict stays open, so that an answer may gain a member without breaking who reads it.
 */
export function tidy({ zodSchema, jsonSchema: schema }: Written): void {
	if (FORMATTED.includes(schema.format)) delete schema.pattern;
	if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
	if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
	if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
	const { def } = zodSchema._zod;
	if (def.type === "object" && def.catchall === undefined) delete schema.additionalProperties;
}

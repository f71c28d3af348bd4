import { toPlainRoot, withoutForeignNames } from "./root.ts";
import {
	type FormattedTool,
	isSchema,
	propertiesOf,
	requiredOf,
	resolveReference,
	type Schema,
	type ToolDefinition,
} from "./schema.ts";

export type GeminiTool = { name: string; description: string; parameters?: Schema };

const PARAMETER_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Keywords that Gemini takes as they are. */
const KEPT = [
	"title",
	"description",
	"minItems",
	"maxItems",
	"minLength",
	"maxLength",
	"minProperties",
	"maxProperties",
	"minimum",
	"maximum",
	"pattern",
	"example",
	"default",
];
/** Keywords that are translated or that only annotate, so that leaving them out needs no warning. */
const HANDLED = new Set([
	...KEPT,
	"type",
	"format",
	"enum",
	"const",
	"items",
	"properties",
	"required",
	"anyOf",
	"oneOf",
	"$ref",
	"$defs",
	"definitions",
	"$schema",
	"$id",
	"$comment",
	"examples",
	"deprecated",
	"readOnly",
	"writeOnly",
	"nullable",
	"propertyOrdering",
]);
const TYPES = new Set(["string", "number", "integer", "boolean", "array", "object"]);
/** Schemas that one tool may have. Inlined references can multiply without bound. */
const MAX_SCHEMAS = 5_000;
/** Nesting after which a schema counts as recursive. */
const MAX_DEPTH = 32;

/** Formats a tool as a Gemini function declaration. Source: Google, "Function calling" and `Schema`, November 2026. */
export function formatGeminiTool({
	name,
	description,
	parameters,
}: ToolDefinition): FormattedTool<GeminiTool> {
	const warnings: string[] = [];
	const root = withoutForeignNames(toPlainRoot(parameters, warnings), PARAMETER_NAME, warnings);
	if (!root) return { tool: undefined, warnings };
	if (Object.keys(propertiesOf(root)).length === 0) return { tool: { name, description }, warnings };
	const translation = new Translation(parameters, warnings);
	const translated = translation.translate(root, "", []);
	if (!translation.isTooLarge) return { tool: { name, description, parameters: translated }, warnings };
	const message = `the schema has more than ${MAX_SCHEMAS} parts once its references are inlined: the tool is left out`;
	return { tool: undefined, warnings: [message] };
}

class Translation {
	readonly #root: Schema;
	readonly #warnings: string[];
	#schemas = 0;

	constructor(root: Schema, warnings: string[]) {
		this.#root = root;
		this.#warnings = warnings;
	}

	/** Whether the translation stopped before its end. */
	get isTooLarge(): boolean {
		return this.#schemas > MAX_SCHEMAS;
	}

	/** @param open references that lead here */
	translate(schema: Schema, path: string, open: string[]): Schema {
		if (++this.#schemas > MAX_SCHEMAS) return {};
		const { resolved, references } = this.#resolve(schema, path, open);
		for (const keyword of Object.keys(resolved)) {
			if (!HANDLED.has(keyword)) this.#warn(keyword, path, "is not known to Gemini and is left out");
		}
		const { type, nullable, union } = this.#typeOf(resolved, path);
		const kept = Object.fromEntries(KEPT.flatMap((keyword) => pairOf(resolved, keyword)));
		const members = union ?? resolved.anyOf ?? resolved.oneOf;
		if (resolved.oneOf !== undefined) this.#warn("oneOf", path, "is given to Gemini as `anyOf`");
		return {
			...kept,
			...(type !== undefined && { type: type.toUpperCase() }),
			...(nullable && { nullable: true }),
			...this.#valuesOf(resolved, type, path),
			...(type === "array" && { items: this.#child(resolved.items, `${path}.items`, references) }),
			...(type === "object" && this.#objectOf(resolved, path, references)),
			...(Array.isArray(members) && {
				anyOf: members.map((member, index) => this.#child(member, `${path}.anyOf.${index}`, references)),
			}),
		};
	}

	#warn(keyword: string, path: string, text: string): void {
		const where = path === "" ? "" : ` at ${path.replace(/^\./, "")}`;
		this.#warnings.push(`\`${keyword}\`${where} ${text}`);
	}

	/** Replaces references by what they lead to. A recursive one becomes an object without properties. */
	#resolve(schema: Schema, path: string, open: string[]): { resolved: Schema; references: string[] } {
		let resolved = schema;
		let references = open;
		while (resolved.$ref !== undefined) {
			const reference = String(resolved.$ref);
			const target = resolveReference(this.#root, reference);
			if (!target || references.includes(reference) || references.length > MAX_DEPTH) {
				this.#warn("$ref", path, target ? "is recursive and is cut off" : "leads nowhere and is left out");
				return { resolved: { type: "object" }, references };
			}
			const { $ref: _, ...beside } = resolved;
			resolved = { ...target, ...beside };
			if (target.$ref !== undefined) resolved.$ref = target.$ref;
			references = [...references, reference];
		}
		return { resolved, references };
	}

	/** Returns the one type of a schema. Several types become members of a union. */
	#typeOf(schema: Schema, path: string): { type?: string; nullable: boolean; union?: Schema[] } {
		const types = [schema.type ?? []].flat().map(String);
		const known = types.filter((type) => TYPES.has(type));
		const nullable = types.includes("null") || schema.nullable === true;
		if (known.length > 1) {
			if (schema.anyOf ?? schema.oneOf) this.#warn("type", path, "has several types and is left out");
			else return { nullable, union: known.map((type) => ({ ...schema, type, title: undefined })) };
		}
		if (known.length === 1) return { type: known[0] as string, nullable };
		if (schema.anyOf ?? schema.oneOf) return { nullable };
		return { type: guessType(schema), nullable };
	}

	/** Returns `enum` and `format`, which Gemini knows for strings only. */
	#valuesOf(schema: Schema, type: string | undefined, path: string): Schema {
		const values = Array.isArray(schema.enum)
			? schema.enum
			: schema.const === undefined
				? []
				: [schema.const];
		const keyword = schema.enum === undefined ? "const" : "enum";
		const result: Schema = {};
		if (values.length > 0) {
			const texts = values.filter((value) => typeof value === "string" && value !== "");
			if (type === "string" && texts.length > 0 && texts.length === values.filter(isValue).length)
				Object.assign(result, { format: "enum", enum: texts });
			else this.#warn(keyword, path, "is not a list of texts and is left out");
		}
		if (schema.format !== undefined && result.format === undefined) {
			if (type === "string" && schema.format === "date-time") result.format = "date-time";
			else
				this.#warn("format", path, `${JSON.stringify(schema.format)} is not known to Gemini and is left out`);
		}
		return result;
	}

	#objectOf(schema: Schema, path: string, references: string[]): Schema {
		const all = Object.entries(propertiesOf(schema));
		const named = all.filter(([name]) => PARAMETER_NAME.test(name));
		for (const [name] of all.filter(([name]) => !PARAMETER_NAME.test(name)))
			this.#warn(
				"properties",
				path,
				`has the name ${JSON.stringify(name)}, which Gemini refuses; it is left out`,
			);
		if (named.length === 0) return {};
		const names = named.map(([name]) => name);
		const required = requiredOf(schema).filter((name) => names.includes(name));
		return {
			properties: Object.fromEntries(
				named.map(([name, child]) => [name, this.#child(child, `${path}.properties.${name}`, references)]),
			),
			...(required.length > 0 && { required: [...new Set(required)] }),
			propertyOrdering: names,
		};
	}

	/** Translates a schema that may be absent or boolean. */
	#child(value: unknown, path: string, references: string[]): Schema {
		if (path.split(".").length > 2 * MAX_DEPTH) return { type: "STRING" };
		return this.translate(isSchema(value) ? value : {}, path, references);
	}
}

const isValue = (value: unknown): boolean => value !== null;

const pairOf = (schema: Schema, keyword: string): [string, unknown][] =>
	schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]];

/** Returns the type that a schema without one most likely means. Gemini requires a type. */
function guessType(schema: Schema): string {
	if (schema.properties !== undefined) return "object";
	if (schema.items !== undefined) return "array";
	const [value] = Array.isArray(schema.enum) ? schema.enum : [schema.const];
	if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
	if (typeof value === "boolean") return "boolean";
	return "string";
}

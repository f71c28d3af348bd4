import { toPlainRoot } from "./root.ts";
import {
	childSchemas,
	type FormattedTool,
	isSchema,
	mapSchemas,
	omit,
	propertiesOf,
	requiredOf,
	resolveReference,
	type Schema,
	type ToolDefinition,
} from "./schema.ts";

export type OpenAiTool = {
	type: "function";
	name: string;
	description: string;
	parameters: Schema;
	strict: boolean;
};

export type OpenAiRealtimeTool = Omit<OpenAiTool, "strict">;

/** Limit of chat completions, which refuse the whole request beyond it. */
const MAX_DESCRIPTION_CHARACTERS = 1_024;

/** Formats a tool for the Responses API and chat completions. Source: OpenAI, "Function calling" and "Structured outputs", November 2026. */
export function formatOpenAiTool(definition: ToolDefinition): FormattedTool<OpenAiTool> {
	const formatted = formatOpenAiRealtimeTool(definition);
	if (!formatted.tool) return { ...formatted, tool: undefined };
	const { warnings } = formatted;
	const tool = { ...formatted.tool, description: shortenDescription(definition.description, warnings) };
	const strictParameters = withoutDefaults(closeObjects(withoutUnusedDefinitions(tool.parameters)));
	const fault = findStrictFault(strictParameters, strictParameters);
	if (fault === undefined) return { tool: { ...tool, parameters: strictParameters, strict: true }, warnings };
	return { tool: { ...tool, strict: false }, warnings: [...warnings, `not strict: ${fault}`] };
}

function shortenDescription(description: string, warnings: string[]): string {
	if (description.length <= MAX_DESCRIPTION_CHARACTERS) return description;
	warnings.push(
		`\`description\` is cut to ${MAX_DESCRIPTION_CHARACTERS} characters, the limit of OpenAI's chat completions`,
	);
	// A pair of surrogates must not be cut apart.
	return `${description.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** Formats a tool for the Realtime API, which has no strict mode. */
export function formatOpenAiRealtimeTool({
	name,
	description,
	parameters,
}: ToolDefinition): FormattedTool<OpenAiRealtimeTool> {
	const warnings: string[] = [];
	const root = toPlainRoot(parameters, warnings);
	return { tool: { type: "function", name, description, parameters: root }, warnings };
}

/** Keywords outside the strict subset. */
const OUTSIDE_STRICT = [
	"allOf",
	"oneOf",
	"not",
	"if",
	"then",
	"else",
	"dependentRequired",
	"dependentSchemas",
	"dependencies",
	"patternProperties",
	"propertyNames",
	"minProperties",
	"maxProperties",
	"unevaluatedItems",
	"unevaluatedProperties",
	"prefixItems",
	"contains",
	"minContains",
	"maxContains",
	"uniqueItems",
	"contentEncoding",
	"contentMediaType",
	"contentSchema",
	"minLength",
	"maxLength",
	"$id",
	"$anchor",
	"$dynamicAnchor",
	"$dynamicRef",
	"definitions",
];

const MAX_PROPERTIES = 5_000;
const MAX_DEPTH = 10;
const MAX_ENUM_VALUES = 1_000;
const MAX_NAME_CHARACTERS = 120_000;

/** Returns why a schema is outside OpenAI's strict subset, or undefined when it is inside. */
function findStrictFault(root: Schema, schema: Schema): string | undefined {
	const counts = { properties: 0, enumValues: 0, characters: 0 };
	const isRecursive = recursionFinder(root);
	const visit = (at: Schema, path: string, depth: number): string | undefined => {
		const where = path === "" ? "" : ` at ${path}`;
		if (depth > MAX_DEPTH) return `the schema is nested more than ${MAX_DEPTH} levels deep`;
		const outside = OUTSIDE_STRICT.find((keyword) => at[keyword] !== undefined);
		if (outside) return `\`${outside}\`${where} is outside OpenAI's strict subset`;
		const fault = faultOfReference(root, at, where, isRecursive) ?? faultOfShape(at, where);
		if (fault) return fault;
		counts.properties += Object.keys(propertiesOf(at)).length;
		counts.enumValues += Array.isArray(at.enum) ? at.enum.length : 0;
		counts.characters += [
			...Object.keys(propertiesOf(at)),
			...Object.keys(isSchema(at.$defs) ? at.$defs : {}),
			...(Array.isArray(at.enum) ? at.enum : []),
			at.const ?? "",
		].reduce((sum: number, text) => sum + String(text).length, 0);
		if (counts.properties > MAX_PROPERTIES)
			return `\`properties\` has more than ${MAX_PROPERTIES} entries in all`;
		if (counts.enumValues > MAX_ENUM_VALUES) return `\`enum\` has more than ${MAX_ENUM_VALUES} values in all`;
		if (counts.characters > MAX_NAME_CHARACTERS)
			return `names and \`enum\` values have more than ${MAX_NAME_CHARACTERS} characters in all`;
		for (const child of childSchemas(at)) {
			// A definition counts where it is referred to.
			const level = child.path.startsWith("$defs.") ? depth : depth + 1;
			const found = visit(child.schema, path === "" ? child.path : `${path}.${child.path}`, level);
			if (found) return found;
		}
		return undefined;
	};
	return visit(schema, "", 1);
}

function faultOfReference(
	root: Schema,
	at: Schema,
	where: string,
	isRecursive: (reference: string) => boolean,
): string | undefined {
	if (at.$ref === undefined) return undefined;
	if (Object.keys(at).some((keyword) => keyword !== "$ref"))
		return `\`$ref\`${where} has other keywords beside it`;
	const target = resolveReference(root, at.$ref);
	if (!target) return `\`$ref\`${where} does not lead to a definition of the schema`;
	return isRecursive(String(at.$ref)) ? `\`$ref\`${where} is recursive` : undefined;
}

/** References that may follow one another. Longer chains count as recursive. */
const MAX_CHAIN = 100;

/** Returns a function that says whether a reference leads back to itself. It reads each part of the document once in all. */
function recursionFinder(root: Schema): (reference: string) => boolean {
	const open = new Set<string>();
	const finite = new Set<string>();
	const follow = (reference: string): boolean => {
		if (finite.has(reference)) return false;
		if (open.has(reference) || open.size === MAX_CHAIN) return true;
		open.add(reference);
		const target = resolveReference(root, reference);
		const found = target !== undefined && walk(target);
		open.delete(reference);
		if (!found) finite.add(reference);
		return found;
	};
	const walk = (at: Schema): boolean =>
		(typeof at.$ref === "string" && follow(at.$ref)) || childSchemas(at).some(({ schema }) => walk(schema));
	return follow;
}

function faultOfShape(at: Schema, where: string): string | undefined {
	const types = [at.type ?? []].flat();
	if (types.includes("object")) {
		if (at.additionalProperties !== false) return `\`additionalProperties\`${where} is not false`;
		const required = new Set(requiredOf(at));
		const optional = Object.keys(propertiesOf(at)).find((name) => !required.has(name));
		if (optional !== undefined) return `\`required\`${where} does not name ${JSON.stringify(optional)}`;
		const unknown = [...required].find((name) => !Object.hasOwn(propertiesOf(at), name));
		if (unknown !== undefined)
			return `\`required\`${where} names ${JSON.stringify(unknown)}, which is no property`;
	} else if (at.properties !== undefined || at.required !== undefined) return `\`type\`${where} is missing`;
	if (types.includes("array") && !isSchema(at.items)) return `\`items\`${where} is missing`;
	if (types.length === 0 && !at.$ref && !at.anyOf && !at.enum && at.const === undefined)
		return `\`type\`${where} is missing`;
	const child = childValue(at);
	return child === undefined ? undefined : `\`${child}\`${where} has a schema that is true or false`;
}

/** Returns a keyword that holds a boolean schema, which the strict subset does not know. */
function childValue(at: Schema): string | undefined {
	const isBoolean = (value: unknown) => typeof value === "boolean";
	if (isBoolean(at.items)) return "items";
	if (Array.isArray(at.anyOf) && at.anyOf.some(isBoolean)) return "anyOf";
	if (Object.values(propertiesOf(at)).some(isBoolean)) return "properties";
	return undefined;
}

/** Returns a schema whose objects refuse unknown properties, and have `required`, where they do not say otherwise. */
const closeObjects = (schema: Schema): Schema =>
	mapSchemas(schema, (at) =>
		at.type === "object"
			? { ...at, required: at.required ?? [], additionalProperties: at.additionalProperties ?? false }
			: at,
	);

/** Returns a schema without defaults, which the strict subset refuses. */
const withoutDefaults = (schema: Schema): Schema => mapSchemas(schema, ({ default: _, ...others }) => others);

/** Returns a schema without the definitions that nothing outside them refers to: one of them could be outside the strict subset. */
function withoutUnusedDefinitions(root: Schema): Schema {
	const definitions = isSchema(root.$defs) ? root.$defs : {};
	const used = new Set<string>();
	const pending: Schema[] = [omit(root, ["$defs"])];
	for (const at of pending) {
		const name = typeof at.$ref === "string" ? /^#\/\$defs\/([^/]+)/.exec(at.$ref)?.[1] : undefined;
		if (name !== undefined && isSchema(definitions[name]) && !used.has(name)) {
			used.add(name);
			pending.push(definitions[name]);
		}
		for (const { schema } of childSchemas(at)) pending.push(schema);
	}
	const { $defs, ...others } = root;
	const kept = Object.entries(definitions).filter(([name]) => used.has(name));
	return kept.length > 0 ? { ...others, $defs: Object.fromEntries(kept) } : others;
}

// What OpenAI refuses in a list of function tools. Source: OpenAI, "Function calling" and "Structured outputs", November 2026.
import { toStrictJsonSchema } from "openai/lib/transform";

export type FunctionTool = {
	name: string;
	description?: string;
	parameters?: Record<string, unknown> | null;
	strict?: boolean | null;
};

/** First fault of a request, as OpenAI words it. */
export type ToolFault = { message: string; param: string; code: string };

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_TOOLS = 128;
/** Limit of chat completions. */
const MAX_DESCRIPTION = 1024;
const ROOT_COMBINATORS = ["oneOf", "anyOf", "allOf", "enum", "not"];
/** Keywords that strict mode refuses, wherever they are. */
const NOT_STRICT = [
	...["allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas"],
	...["patternProperties", "propertyNames", "minProperties", "maxProperties", "unevaluatedProperties"],
	...["prefixItems", "contains", "uniqueItems", "minLength", "maxLength", "default", "$anchor", "$id"],
];

/** Returns why OpenAI would refuse the whole request, or undefined. One such tool breaks all others. */
export function findToolFault(tools: readonly FunctionTool[]): ToolFault | undefined {
	const seen = new Set<string>();
	if (tools.length > MAX_TOOLS)
		return { message: `Expected at most ${MAX_TOOLS} tools`, param: "tools", code: "array_above_max_length" };
	for (const [index, { name, description = "", parameters, strict }] of tools.entries()) {
		const fault = (field: string, message: string, code = "invalid_function_parameters") => ({
			...{ message: `Invalid 'tools[${index}].${field}': ${message}` },
			...{ param: `tools[${index}].${field}`, code },
		});
		if (!NAME.test(name)) return fault("name", `does not match ${NAME}`, "invalid_value");
		if (seen.has(name)) return fault("name", `${name} is not unique`, "invalid_value");
		seen.add(name);
		if (description.length > MAX_DESCRIPTION)
			return fault("description", `longer than ${MAX_DESCRIPTION}`, "string_above_max_length");
		if (!parameters) continue;
		if (parameters.type !== "object") return fault("parameters", "the root must have type object");
		const combinator = ROOT_COMBINATORS.find((keyword) => keyword in parameters);
		if (combinator) return fault("parameters", `the root must not have ${combinator}`);
		const reason = strict ? findStrictFault(parameters, "parameters") : undefined;
		if (reason) return fault("parameters", reason);
		// The vendor's own conversion leaves a schema alone that is inside the subset.
		if (strict && !isSame(toStrictJsonSchema(parameters as never), parameters))
			return fault("parameters", "is not a strict schema");
	}
	return undefined;
}

function findStrictFault(schema: unknown, path: string): string | undefined {
	if (typeof schema !== "object" || schema === null) return `${path} is not an object`;
	const at = schema as Record<string, unknown>;
	const refused = NOT_STRICT.find((keyword) => keyword in at);
	if (refused) return `${path} has ${refused}`;
	const properties = (at.properties ?? {}) as Record<string, unknown>;
	if ([at.type].flat().includes("object")) {
		if (at.additionalProperties !== false) return `${path}.additionalProperties must be false`;
		const required = new Set((at.required ?? []) as string[]);
		const optional = Object.keys(properties).find((name) => !required.has(name));
		if (optional !== undefined) return `${path}.required must name ${optional}`;
	}
	if ([at.type].flat().includes("array") && at.items === undefined) return `${path} has no items`;
	const children: [string, unknown][] = [
		...Object.entries(properties).map(([name, child]): [string, unknown] => [`properties.${name}`, child]),
		...Object.entries((at.$defs ?? {}) as object).map(([name, child]): [string, unknown] => [
			`$defs.${name}`,
			child,
		]),
		...((at.anyOf ?? []) as unknown[]).map((child, index): [string, unknown] => [`anyOf.${index}`, child]),
		...(at.items === undefined ? [] : ([["items", at.items]] as [string, unknown][])),
	];
	for (const [name, child] of children) {
		const found = findStrictFault(child, `${path}.${name}`);
		if (found) return found;
	}
	return undefined;
}

const isSame = (one: unknown, other: unknown): boolean =>
	JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

const sorted = (value: unknown): unknown => {
	if (Array.isArray(value)) return value.map(sorted);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.sort(([one], [other]) => (one < other ? -1 : 1))
			.map(([key, child]) => [key, key === "required" ? [...(child as string[])].sort() : sorted(child)]),
	);
};

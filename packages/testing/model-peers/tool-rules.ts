// What vendors refuse in a list of tools. Sources: OpenAI, "Function calling" and "Structured outputs"; Anthropic, "Tool use"; November 2026.
import { toStrictJsonSchema } from "openai/lib/transform";

export type FunctionTool = {
	name: string;
	description?: string;
	parameters?: Record<string, unknown> | null;
	strict?: boolean | null;
};

/** First fault of a request, as the vendor would word it. */
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

const ANTHROPIC_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const ANTHROPIC_PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Returns why Anthropic would refuse the whole request, or undefined. */
export function findAnthropicFault(tools: readonly FunctionTool[]): ToolFault | undefined {
	for (const [index, { name, parameters }] of tools.entries()) {
		const fault = (field: string, message: string) => ({
			...{
				message: `tools.${index}.${field}: ${message}`,
				param: `tools.${index}`,
				code: "invalid_request_error",
			},
		});
		if (!ANTHROPIC_NAME.test(name)) return fault("name", `String should match pattern '${ANTHROPIC_NAME}'`);
		if (parameters?.type !== "object") return fault("input_schema.type", "Input should be 'object'");
		const combinator = ["oneOf", "anyOf", "allOf"].find((keyword) => keyword in parameters);
		if (combinator) return fault("input_schema", `does not support ${combinator} at the top level`);
		const key = Object.keys((parameters.properties ?? {}) as object).find(
			(one) => !ANTHROPIC_PROPERTY.test(one),
		);
		if (key !== undefined) return fault("input_schema.properties", `Property keys should match: ${key}`);
	}
	return undefined;
}

/** Returns why OpenAI would refuse the whole request, or undefined. One such tool breaks all others. */
export function findOpenAiFault(tools: readonly FunctionTool[]): ToolFault | undefined {
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

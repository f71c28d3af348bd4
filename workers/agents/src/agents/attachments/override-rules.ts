import type { ConfigOverrides, ToolRef } from "@parley/contracts/agents/attachments";
import { TOOL_CONFIGS } from "@parley/contracts/agents/tool-config";
import type { ToolSnapshot } from "@parley/contracts/agents/tools";
import type { FieldError } from "@parley/contracts/shared/api-error";
import { sayIssue } from "@parley/contracts/shared/issue-wording";

type Json = Record<string, unknown>;

/** What an attachment sets that its tool's version does not have; paths are relative to the attachment. */
export const overrideProblems = (ref: ToolRef, version: ToolSnapshot): FieldError[] => [
	...unknownArguments(ref.argument_overrides, version.argument_schema, "argument_overrides"),
	...unknownArguments(ref.system?.arguments ?? {}, version.argument_schema, "system.arguments"),
	...configOverrideProblems(ref.config_overrides, version),
];

/** Values for names that the arguments schema does not have. */
export function unknownArguments(
	values: object,
	schema: Json,
	path: string,
	message = "The tool's version has no such argument",
): FieldError[] {
	const parameters = parametersOf(schema);
	return Object.keys(values)
		.filter((name) => !Object.hasOwn(parameters, name))
		.map((name) => ({ path: `${path}.${name}`, message }));
}

/** Members that hold JSON Schemas. No override changes them, and checking them for each attachment takes long. */
const SCHEMA_MEMBERS = new Set(["parameters", "output_schema"]);

/** Whether the tool's configuration is a valid one still with the attachment's members put in. */
export function configOverrideProblems(
	overrides: ConfigOverrides | null,
	{ tool_type, config }: Pick<ToolSnapshot, "tool_type" | "config">,
): FieldError[] {
	if (overrides === null) return [];
	if (overrides.type !== tool_type)
		return [{ path: "config_overrides.type", message: `Must be ${tool_type}, the tool's type` }];
	// What an SMS says and to whom is no part of its tool.
	if (overrides.type === "send_sms") return [];
	const members = Object.entries(config).filter(([key]) => !SCHEMA_MEMBERS.has(key));
	const merged = putInto(Object.fromEntries(members), overrides);
	const { error } = TOOL_CONFIGS[tool_type].safeParse(merged, { error: sayIssue });
	return (error?.issues ?? []).map(({ path, message }) => ({
		path: ["config_overrides", ...path].map(String).join("."),
		message,
	}));
}

/** The parameters of an arguments schema, by name. */
export const parametersOf = (schema: Json): Json => (isObject(schema.properties) ? schema.properties : {});

/** Overrides replace members; a member that is an object is merged, one level deep. */
function putInto(config: Json, overrides: Json): Json {
	const merged = { ...config };
	for (const [key, value] of Object.entries(overrides)) {
		const held = config[key];
		merged[key] = isObject(held) && isObject(value) ? { ...held, ...value } : value;
	}
	return merged;
}

export const isObject = (value: unknown): value is Json =>
	typeof value === "object" && value !== null && !Array.isArray(value);

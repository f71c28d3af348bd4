import type { ConfigOverrides, ToolRef } from "@parley/contracts/agents/attachments";
import { TOOL_CONFIGS } from "@parley/contracts/agents/tool-config";
import type { ToolSnapshot } from "@parley/contracts/agents/tools";
import type { FieldError } from "@parley/contracts/shared/api-error";
import { sayIssue } from "@parley/contracts/shared/issue-wording";

type Json = Record<string, unknown>;

/** Finds values of an attachment that its tool's version does not accept. Paths are relative to the attachment. */
export const overrideProblems = (ref: ToolRef, version: ToolSnapshot): FieldError[] => [
	...unknownArguments(ref.argument_overrides, version.argument_schema, "argument_overrides"),
	...unknownArguments(ref.system?.arguments ?? {}, version.argument_schema, "system.arguments"),
	...configOverrideProblems(ref.config_overrides, version),
];

/** Finds values for arguments that the schema does not have. */
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

/** Members that hold JSON Schemas. Overrides cannot change them, and validating them for each attachment would take long. */
const SCHEMA_MEMBERS = new Set(["parameters", "output_schema"]);

/** Finds overrides that make the tool's configuration invalid. */
export function configOverrideProblems(
	overrides: ConfigOverrides | null,
	{ tool_type, config }: Pick<ToolSnapshot, "tool_type" | "config">,
): FieldError[] {
	if (overrides === null) return [];
	if (overrides.type !== tool_type)
		return [{ path: "config_overrides.type", message: `Must be ${tool_type}, the tool's type` }];
	// The text and recipient of an SMS exist only in the attachment, so there is nothing to merge.
	if (overrides.type === "send_sms") return [];
	const members = Object.entries(config).filter(([key]) => !SCHEMA_MEMBERS.has(key));
	const merged = mergeOverrides(Object.fromEntries(members), overrides);
	const { error } = TOOL_CONFIGS[tool_type].safeParse(merged, { error: sayIssue });
	return (error?.issues ?? []).map(({ path, message }) => ({
		path: ["config_overrides", ...path].map(String).join("."),
		message,
	}));
}

/** Returns the parameters of an argument schema by name. */
export const parametersOf = (schema: Json): Json => (isObject(schema.properties) ? schema.properties : {});

/** Applies overrides: members are replaced, and object members are merged one level deep. */
export function mergeOverrides(config: Json, overrides: Json): Json {
	const merged = { ...config };
	for (const [key, value] of Object.entries(overrides)) {
		const current = config[key];
		merged[key] = isObject(current) && isObject(value) ? { ...current, ...value } : value;
	}
	return merged;
}

export const isObject = (value: unknown): value is Json =>
	typeof value === "object" && value !== null && !Array.isArray(value);

import { ApiError, type FieldError } from "@parley/contracts/api-error";
import { renderText } from "@parley/templates/render";
import { argumentSchema } from "../tool-content.ts";
import type { ToolRow } from "../tool-row.ts";
import { schemaFaults } from "./json-validation.ts";

export type Arguments = Record<string, unknown>;

/** The given arguments, and the defaults of those that were left out. A default whose entry is missing stays a template. */
export function withDefaults(
	tool: Pick<ToolRow, "argumentDefaults">,
	given: Arguments,
	vault: Readonly<Record<string, string>>,
	isComplete: boolean,
): Arguments {
	const defaults = Object.entries(tool.argumentDefaults).filter(([name]) => !Object.hasOwn(given, name));
	const rendered = defaults.map(([name, value]) => [
		name,
		typeof value === "string" && isComplete ? renderText(value, { vault }) : value,
	]);
	return { ...given, ...Object.fromEntries(rendered) };
}

/**
 * @param scrub what messages go through, since a default may be a secret.
 * @throws ApiError VALIDATION_FAILED naming each argument that does not match the tool's schema.
 */
export function assertArgumentsMatch(tool: ToolRow, args: Arguments, scrub: (text: string) => string): void {
	const faults = schemaFaults(strictSchema(tool), args);
	if (faults.length > 0)
		throw invalidArguments(
			faults.map(({ path, message }) => ({ path: path.join("."), message: scrub(message) })),
		);
}

/** The refusal of arguments; paths are relative to them. */
export function invalidArguments(faults: FieldError[]): ApiError {
	const fields = faults.map(({ path, message }) => ({
		path: path === "" ? "sample_input" : `sample_input.${path}`,
		message,
	}));
	return new ApiError("VALIDATION_FAILED", `${fields[0]?.path}: ${fields[0]?.message}`, { fields });
}

function strictSchema(tool: ToolRow): object {
	const schema = argumentSchema(tool, tool.argSchema) ?? {};
	const isStrict = tool.config.type === "api_request" && tool.config.strict;
	const isOpen = !("additionalProperties" in schema || "unevaluatedProperties" in schema);
	return isStrict && isOpen ? { ...schema, additionalProperties: false } : schema;
}

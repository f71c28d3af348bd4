import { ApiError, type FieldError } from "@parley/contracts/shared/api-error";
import { BudgetExceeded } from "@parley/json-schema/budget";
import { type Issue, SchemaError, validate } from "@parley/json-schema/validate";
import { renderText } from "@parley/templates/render";
import type { Runnable } from "./runnable.ts";

export type Arguments = Record<string, unknown>;

/**
 * Adds the defaults of arguments that were omitted.
 * @param isComplete true if every vault entry exists. Otherwise, defaults stay unrendered templates.
 */
export function withDefaults(
	tool: Pick<Runnable, "argumentDefaults">,
	given: Arguments,
	vault: Readonly<Record<string, string>>,
	isComplete: boolean,
): Arguments {
	const rendered = defaultedArguments(tool, given).map((name) => {
		const value = tool.argumentDefaults[name];
		return [name, typeof value === "string" && isComplete ? renderText(value, { vault }) : value];
	});
	// Defaults come first: an endpoint that repeats only the beginning of a request cannot be made to cut a secret of a default.
	return { ...Object.fromEntries(rendered), ...given };
}

/** Returns the names of omitted arguments that have a default. */
export const defaultedArguments = (tool: Pick<Runnable, "argumentDefaults">, given: Arguments): string[] =>
	Object.keys(tool.argumentDefaults).filter((name) => !Object.hasOwn(given, name));

/**
 * Validates arguments against the tool's schema.
 * @param scrub removes secrets from messages, since a default may contain one.
 * @throws ApiError VALIDATION_FAILED naming each argument that does not match the tool's schema.
 */
export function assertArgumentsMatch(
	tool: Runnable,
	{ args, defaulted }: { args: Arguments; defaulted: readonly string[] },
	scrub: (text: string) => string,
): void {
	const issues = argumentIssues(tool, args);
	if (issues.length > 0)
		throw invalidArguments(
			issues.map(({ path, message }) => ({ path: path.join("."), message: scrub(message) })),
			defaulted,
		);
}

function argumentIssues(tool: Runnable, args: Arguments): Issue[] {
	try {
		return validate(strictSchema(tool), args);
	} catch (error) {
		if (error instanceof BudgetExceeded) {
			const remedy = "Send a smaller value, or simplify the tool's argument schema.";
			return [{ path: error.path, message: `${error.message}. ${remedy}` }];
		}
		if (error instanceof SchemaError)
			return [{ path: [], message: `Cannot be checked: the tool's argument schema ${error.message}` }];
		throw error;
	}
}

/**
 * Returns the error for invalid arguments.
 * @param faults paths are relative to the arguments. A path in a default is reported under `argument_defaults`.
 */
export function invalidArguments(faults: FieldError[], defaulted: readonly string[] = []): ApiError {
	const isDefault = (path: string) =>
		defaulted.some((name) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`));
	const fields = faults.map(({ path, message }) => {
		const root = isDefault(path) ? "argument_defaults" : "sample_input";
		return { path: path === "" ? root : `${root}.${path}`, message };
	});
	return new ApiError("VALIDATION_FAILED", `${fields[0]?.path}: ${fields[0]?.message}`, { fields });
}

/** Returns the schema that arguments are validated against: closed where the tool's `strict` says so. */
export function strictSchema({
	argumentSchema: schema,
	config,
}: Pick<Runnable, "argumentSchema" | "config">): Record<string, unknown> {
	const isStrict = config.type === "api_request" && config.strict;
	const isOpen = !("additionalProperties" in schema || "unevaluatedProperties" in schema);
	return isStrict && isOpen ? { ...schema, additionalProperties: false } : schema;
}

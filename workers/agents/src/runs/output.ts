import { jsonFault } from "@parley/canonical/json-fault";
import type { RunResult } from "@parley/contracts/agents/tool-runs";
import { BudgetExceeded } from "@parley/json-schema/budget";
import { type Issue, SchemaError, validate } from "@parley/json-schema/validate";
import { RunFailure } from "./run-failure.ts";

const MAX_OUTPUT_BYTES = 256 * 1024;

/** Parses a response body. Returns JSON objects and arrays unchanged, and anything else as `{ text }`. */
export function parseOutput(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === "object" && value !== null) return value;
	} catch {
		// Not JSON: returned as text below.
	}
	return { text };
}

function assertOutputFits(output: unknown): void {
	const fault = jsonFault(output);
	if (fault) throw new RunFailure("INVALID_OUTPUT", `The output cannot be stored: ${fault.message}`);
	if (new TextEncoder().encode(JSON.stringify(output)).byteLength > MAX_OUTPUT_BYTES)
		throw new RunFailure("OUTPUT_TOO_LARGE", `The output is larger than ${MAX_OUTPUT_BYTES / 1024} KiB`);
}

/** Output of a tool, whether it matches the declared schema, and the differences. */
export type CheckedOutput = { output: unknown; validation: RunResult["validation"]; differences: string[] };

/**
 * Compares an output with the tool's output schema.
 * @throws RunFailure OUTPUT_TOO_LARGE; INVALID_OUTPUT for JSON that cannot be stored exactly; OUTPUT_TOO_COMPLEX;
 * SCHEMA_INVALID
 */
export function checkOutput(output: unknown, schema: Record<string, unknown> | null): CheckedOutput {
	assertOutputFits(output);
	if (schema === null) return { output, validation: "na", differences: [] };
	const issues = outputIssues(schema, output);
	return {
		output,
		validation: issues.length === 0 ? "valid" : "mismatch",
		differences: issues.map(({ path, message }) => difference(path.join("."), message)),
	};
}

/** Returns where an output does not match a schema. @throws RunFailure OUTPUT_TOO_COMPLEX, SCHEMA_INVALID */
export function outputIssues(schema: Record<string, unknown>, output: unknown): Issue[] {
	try {
		return validate(schema, output);
	} catch (error) {
		if (error instanceof BudgetExceeded) {
			const remedy = "Return a smaller value, or simplify the tool's output schema.";
			const message = difference(error.path.join("."), `${error.message}. ${remedy}`);
			throw new RunFailure("OUTPUT_TOO_COMPLEX", message);
		}
		if (error instanceof SchemaError)
			throw new RunFailure("SCHEMA_INVALID", `The tool's output schema ${error.message}`);
		throw error;
	}
}

export const difference = (path: string, message: string): string =>
	path === "" ? `output: ${message}` : `output ${path}: ${message}`;

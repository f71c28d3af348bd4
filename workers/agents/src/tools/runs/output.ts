import type { RunResult } from "@parley/contracts/tool-runs";
import type { ToolRow } from "../tool-row.ts";
import { schemaFaults } from "./json-validation.ts";
import { RunFailure } from "./run-failure.ts";

const MAX_OUTPUT_BYTES = 256 * 1024;

/** A response body as output: JSON objects and arrays as they are, anything else as text. */
export function parseOutput(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		if (typeof value === "object" && value !== null) return value;
	} catch {
		// Text that is no JSON is text.
	}
	return { text };
}

/** @throws RunFailure OUTPUT_TOO_LARGE */
export function assertOutputFits(output: unknown): void {
	if (new TextEncoder().encode(JSON.stringify(output)).byteLength > MAX_OUTPUT_BYTES)
		throw new RunFailure("OUTPUT_TOO_LARGE", `The output is larger than ${MAX_OUTPUT_BYTES / 1024} KiB`);
}

/** How the output compares with the schema that the tool declares for it, and what differs. */
export function validateOutput(
	tool: ToolRow,
	output: unknown,
): { validation: RunResult["validation"]; differences: string[] } {
	const { config } = tool;
	const schema = config.type === "code" || config.type === "api_request" ? config.output_schema : null;
	if (schema === null) return { validation: "na", differences: [] };
	const faults = schemaFaults(schema, output);
	return {
		validation: faults.length === 0 ? "valid" : "mismatch",
		differences: faults.map(({ path, message }) => `output ${path.join(".")}: ${message}`),
	};
}

import { jsonFault } from "@parley/canonical/json-fault";
import type { RunResult } from "@parley/contracts/tool-runs";
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

function assertOutputFits(output: unknown): void {
	const fault = jsonFault(output);
	if (fault) throw new RunFailure("INVALID_OUTPUT", `The output cannot be kept: ${fault.message}`);
	if (new TextEncoder().encode(JSON.stringify(output)).byteLength > MAX_OUTPUT_BYTES)
		throw new RunFailure("OUTPUT_TOO_LARGE", `The output is larger than ${MAX_OUTPUT_BYTES / 1024} KiB`);
}

/** What a tool returned, how that compares with the schema that it declares, and what differs. */
export type Judged = { output: unknown; validation: RunResult["validation"]; differences: string[] };

/** @throws RunFailure OUTPUT_TOO_LARGE; INVALID_OUTPUT for JSON that no store keeps faithfully */
export function judged(output: unknown, schema: Record<string, unknown> | null): Judged {
	assertOutputFits(output);
	if (schema === null) return { output, validation: "na", differences: [] };
	const faults = schemaFaults(schema, output);
	return {
		output,
		validation: faults.length === 0 ? "valid" : "mismatch",
		differences: faults.map(({ path, message }) => difference(path.join("."), message)),
	};
}

export const difference = (path: string, message: string): string => `output ${path}: ${message}`;

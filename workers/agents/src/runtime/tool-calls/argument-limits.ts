import { jsonFault } from "@parley/canonical/json-fault";
import { TOOL_CALL_LIMITS } from "@parley/contracts/agents/tool-calls";
import type { Arguments } from "../../runs/arguments.ts";
import { type CallOutcome, rejected } from "./run/call-outcome.ts";

/** Returns the outcome of arguments that are too large, too deep or no JSON; undefined for any others. */
export function argumentFault(given: Arguments): CallOutcome | undefined {
	const fault = jsonFault(given);
	if (fault) {
		const path = ["sample_input", ...fault.path.slice(0, 8)].join(".");
		return rejected([{ path, message: fault.message }]);
	}
	const { byteLength } = new TextEncoder().encode(JSON.stringify(given));
	if (byteLength <= TOOL_CALL_LIMITS.argumentBytes) return undefined;
	const limit = `${TOOL_CALL_LIMITS.argumentBytes / 1024} KiB`;
	const message = `Must be at most ${limit} of JSON, and has ${byteLength} bytes`;
	return rejected([{ path: "sample_input", message }]);
}

import { fromCanonicalBase64Url } from "@parley/bytes/base64";
import { jsonFault } from "@parley/canonical/json-fault";
import { RuntimeVariables } from "@parley/contracts/agents/runtime-sessions";
import { ApiError } from "@parley/contracts/shared/api-error";
import { sayIssue } from "@parley/contracts/shared/issue-wording";
import type { z } from "zod";

type Variables = z.infer<typeof RuntimeVariables>;

export const VARIABLES_HEADER = "x-parley-variables";

/**
 * Returns the values that a request brings for placeholders, from `X-Parley-Variables`: a JSON object in base64url. Undefined
 * without the header.
 * @throws ApiError VALIDATION_FAILED
 */
export function readRuntimeVariables(headers: Headers): Variables | undefined {
	const header = headers.get(VARIABLES_HEADER);
	if (header === null) return undefined;
	const bytes = fromCanonicalBase64Url(header.replace(/=+$/, ""));
	if (!bytes) throw refusal("Must be JSON in base64url");
	const value = parse(bytes);
	const fault = jsonFault(value);
	if (fault) throw refusal(fault.message, fault.path);
	const { success, data, error } = RuntimeVariables.safeParse(value, { error: sayIssue });
	if (success) return data;
	const [issue] = error.issues;
	// An entry's issue is that of a union, which says less than this.
	if (issue?.code === "custom") throw refusal(issue.message);
	if (issue?.code === "invalid_key") throw refusal("Not the name of a placeholder", issue.path);
	if (issue?.path.length) throw refusal("Must be a text, a number or a boolean", issue.path);
	throw refusal("Must be a JSON object whose values are texts, numbers or booleans");
}

function parse(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
	} catch {
		return undefined;
	}
}

const refusal = (message: string, path: PropertyKey[] = []): ApiError => {
	const place = ["X-Parley-Variables", ...path].map(String).join(".");
	return new ApiError("VALIDATION_FAILED", `${place}: ${message}`, {
		fields: [{ path: `header.${place}`, message }],
	});
};

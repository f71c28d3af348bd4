import { fromCanonicalBase64Url } from "@parley/bytes/base64";
import type { RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import { z } from "zod";

export const VARIABLES_HEADER = "x-parley-variables";
const MAX_ENTRIES = 100;
const MAX_BYTES = 32 * 1024;

const Variables = z.record(z.string().min(1).max(200), z.union([z.string(), z.number(), z.boolean()]));

/**
 * Returns the values that a request brings for placeholders, from `X-Parley-Variables`: a JSON object in base64url. Undefined
 * without the header.
 * @throws ApiError VALIDATION_FAILED
 */
export function readRuntimeVariables(headers: Headers): RuntimeVariables | undefined {
	const header = headers.get(VARIABLES_HEADER);
	if (header === null) return undefined;
	const bytes = fromCanonicalBase64Url(header.replace(/=+$/, ""));
	if (!bytes) throw refusal("Must be JSON in base64url");
	if (bytes.length > MAX_BYTES) throw refusal(`Must be at most ${MAX_BYTES} bytes of JSON`);
	const { success, data } = Variables.safeParse(parse(bytes));
	if (!success) throw refusal("Must be a JSON object whose values are strings, numbers or booleans");
	if (Object.keys(data).length > MAX_ENTRIES) throw refusal(`Must have at most ${MAX_ENTRIES} entries`);
	return data;
}

function parse(bytes: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes));
	} catch {
		return undefined;
	}
}

const refusal = (message: string): ApiError =>
	new ApiError("VALIDATION_FAILED", `X-Parley-Variables: ${message}`, {
		fields: [{ path: `header.${VARIABLES_HEADER}`, message }],
	});

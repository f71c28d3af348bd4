import { ApiError } from "@parley/contracts/shared/api-error";

/** Types that clients give a JSON body when its author named none: `curl -d` and `fetch` with a string. */
const UNNAMED = ["", "text/plain", "application/x-www-form-urlencoded"];

/**
 * Refuses a body that the operation cannot read, by its declared type and encoding. JSON is accepted under its own types
 * and under those that clients send when the caller names none.
 * @param accepted the operation's types
 * @throws ApiError UNSUPPORTED_MEDIA_TYPE
 */
export function assertMediaType(headers: Headers, accepted: readonly string[]): void {
	const encoding = headers.get("content-encoding")?.trim().toLowerCase() || "identity";
	if (encoding !== "identity") throw unsupported("Content-Encoding must be identity", encoding);
	const type = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
	const isJson =
		UNNAMED.includes(type) || type === "application/json" || /^application\/.+\+json$/.test(type);
	if (accepted.includes(type) || (isJson && accepted.includes("application/json"))) return;
	throw unsupported(`Content-Type must be ${accepted.join(" or ")}`, type || "absent");
}

const unsupported = (rule: string, given: string): ApiError =>
	new ApiError("UNSUPPORTED_MEDIA_TYPE", `${rule}, not ${given.slice(0, 100)}`);

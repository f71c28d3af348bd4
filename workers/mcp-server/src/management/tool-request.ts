import type { ManagementTool } from "@parley/contracts/internal/management-rpc";

/** Headers of the client's request that the API gets too. */
const PASSED_ON = ["authorization", "cf-connecting-ip", "idempotency-key"];

/**
 * Returns the request that a call of a management tool stands for. The API validates the values; here only what would
 * change the path is refused.
 */
export function toRequest(
	tool: ManagementTool,
	given: Record<string, unknown>,
	origin: Request,
	requestId: string,
): Request | { fault: string } {
	const unknown = Object.keys(given).find((name) => !Object.hasOwn(tool.inputSchema.properties, name));
	if (unknown !== undefined) return { fault: `${unknown.slice(0, 100)}: Unknown argument` };
	const missing = tool.inputSchema.required.find((name) => given[name] === undefined);
	if (missing !== undefined) return { fault: `${missing}: Is required` };
	const path = fillPath(tool.path, given);
	if (path === undefined) return { fault: "Path parameters must be non-empty texts or numbers" };
	const url = new URL(path, "https://plane.internal");
	for (const name of tool.query)
		for (const value of [given[name] ?? []].flat()) url.searchParams.append(name, String(value));
	const headers = new Headers({ "x-request-id": requestId });
	for (const name of PASSED_ON) {
		const value = origin.headers.get(name);
		if (value !== null) headers.set(name, value);
	}
	const body = tool.hasBody && given.body !== undefined ? JSON.stringify(given.body) : undefined;
	if (body !== undefined) headers.set("content-type", "application/json");
	return new Request(url, { method: tool.method, headers, ...(body !== undefined && { body }) });
}

/** Returns the path with its parameters; undefined if one is missing, or would name another path. */
function fillPath(template: string, values: Record<string, unknown>): string | undefined {
	let isValid = true;
	const path = template.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => {
		const value = values[name];
		const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
		isValid &&= text !== "" && text !== "." && text !== "..";
		return encodeURIComponent(text);
	});
	return isValid ? path : undefined;
}

import { exports } from "cloudflare:workers";

export type JsonRpc = {
	result?: Record<string, unknown> & {
		tools: { name: string; inputSchema: Record<string, unknown>; annotations: Record<string, unknown> }[];
		content: { type: string; text: string }[];
		isError?: boolean;
	};
	error?: { code: number; message: string };
};
export type Answer = { status: number; headers: Headers; body: JsonRpc };

/** One request to the worker under test. A string is sent as it is. */
export async function send(
	path: string,
	body: unknown,
	headers: Record<string, string> = {},
	method = "POST",
): Promise<Answer> {
	const response = await exports.default.fetch(
		new Request(`https://parley.example${path}`, {
			method,
			headers: { "content-type": "application/json", ...headers },
			...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
		}),
	);
	const text = await response.text();
	const isJson = response.headers.get("content-type")?.includes("json");
	return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } };
}

/** Calls one method of an MCP endpoint as a client of revision 2025-11-25. */
export const callMcp = (
	path: string,
	key: string,
	method: string,
	params: object = {},
	headers: Record<string, string> = {},
): Promise<Answer> =>
	send(
		path,
		{ jsonrpc: "2.0", id: 1, method, params },
		{ authorization: `Bearer ${key}`, "mcp-protocol-version": "2025-11-25", ...headers },
	);

import {
	type CallToolResult,
	createMcpHandler,
	isLegacyRequest,
	type Progress,
	Server,
	type Tool,
	WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { BodyReader } from "../context.ts";

/** Protocol versions that are served. The first is offered to a client that asks for another one. */
const VERSIONS = ["2025-11-25", "2025-06-18", "2026-07-28"];
/** Time for which a client may keep a tool list: as long as a toolset is cached here. */
const LIST_TTL_MS = 8_000;
export const MAX_BODY_BYTES = 1024 * 1024;

export type ServerDescription = { name: string; version: string; instructions?: string };
export type ToolCall = {
	name: string;
	arguments: Record<string, unknown>;
	/** Aborts when the client disconnects or cancels. */
	signal: AbortSignal;
	/** Present if the client asked for progress. */
	onProgress?: (progress: Progress) => void;
};

/** Functions behind an MCP endpoint. They throw `ApiError` before the protocol begins to respond. */
export type McpEndpoint = {
	describe: () => Promise<ServerDescription>;
	listTools: () => Promise<{ server?: ServerDescription; tools: Tool[] }>;
	/** @throws ProtocolError for a tool that does not exist. */
	callTool: (call: ToolCall) => Promise<CallToolResult>;
};

type Message = { method?: unknown; params?: { _meta?: { progressToken?: unknown } } };

/** Serves one message of an MCP client. Nothing is kept between messages. */
export async function serveMcp(
	request: Request,
	reader: BodyReader,
	endpoint: McpEndpoint,
	fallback: ServerDescription,
): Promise<Response> {
	const body = await readMessage(reader);
	if (body === undefined) return refuse(-32_700, "Parse error: the body is not valid JSON.");
	if (typeof body !== "object" || body === null || Array.isArray(body))
		return refuse(-32_600, "Invalid request: send one JSON-RPC message, not an array.");
	const message = body as Message;
	const server = await createServer(endpoint, message, fallback);
	const plain = withPlainHeaders(request);
	if (!(await isLegacyRequest(plain, body)))
		return createMcpHandler(() => server, { legacy: "reject" }).fetch(plain, { parsedBody: body });
	return serveLegacy(server, plain, message);
}

/** Returns the JSON value; undefined for a text that is not JSON, or that is nested too deep. */
async function readMessage(reader: BodyReader): Promise<unknown> {
	const bytes = await reader.bytes(MAX_BODY_BYTES);
	try {
		return reader.json(bytes);
	} catch (error) {
		if (error instanceof ApiError) return undefined;
		throw error;
	}
}

const refuse = (code: number, message: string): Response =>
	Response.json({ jsonrpc: "2.0", id: null, error: { code, message } }, { status: 400 });

/** The library refuses clients whose `Accept` is a wildcard, and bodies whose type a client did not name. */
function withPlainHeaders(request: Request): Request {
	const headers = new Headers(request.headers);
	headers.set("accept", "application/json, text/event-stream");
	headers.set("content-type", "application/json");
	return new Request(request.url, { method: "POST", headers, signal: request.signal });
}

/** Revisions of 2025. The answer is JSON; it is a stream only if the client asked for progress. */
async function serveLegacy(server: Server, request: Request, message: Message): Promise<Response> {
	const isStream = message.params?._meta?.progressToken !== undefined;
	const transport = new WebStandardStreamableHTTPServerTransport({
		supportedProtocolVersions: VERSIONS,
		enableJsonResponse: !isStream,
	});
	await server.connect(transport);
	request.signal.addEventListener("abort", () => void server.close());
	const response = await transport.handleRequest(request, { parsedBody: message });
	if (!isStream) await server.close();
	return response;
}

async function createServer(
	endpoint: McpEndpoint,
	{ method }: Message,
	fallback: ServerDescription,
): Promise<Server> {
	const isDescribed = method === "initialize" || method === "server/discover";
	const list = method === "tools/list" ? await endpoint.listTools() : undefined;
	const description = isDescribed ? await endpoint.describe() : (list?.server ?? fallback);
	const { instructions, ...info } = description;
	const server = new Server(info, {
		capabilities: { tools: {} },
		supportedProtocolVersions: VERSIONS,
		...(instructions && { instructions }),
		jsonSchemaValidator: noValidator,
		cacheHints: { "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "private" } },
	});
	server.setRequestHandler("tools/list", async () => ({ tools: list?.tools ?? [] }));
	server.setRequestHandler("tools/call", async ({ params }, ctx) => {
		const { _meta: meta, signal } = ctx.mcpReq;
		const progressToken = meta?.progressToken;
		const onProgress = (progress: Progress) =>
			void ctx.mcpReq
				.notify({
					method: "notifications/progress",
					params: { ...progress, progressToken: progressToken ?? 0 },
				})
				// The client has gone.
				.catch(() => undefined);
		const result = await endpoint.callTool({
			name: params.name,
			arguments: params.arguments ?? {},
			signal,
			...(progressToken !== undefined && { onProgress }),
		});
		return server.projectCallToolResult(result, undefined);
	});
	return server;
}

/** Parley validates arguments and outputs by itself. */
const noValidator = {
	getValidator() {
		throw new Error("Parley validates arguments and outputs by itself.");
	},
};

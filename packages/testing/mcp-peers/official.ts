import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { Server as SessionServer } from "@modelcontextprotocol/sdk/server/index.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import type { Plan } from "./plan.ts";

type Place = { id: string; era: string; rest: string[] };

const INFO = { name: "official", version: "1.2.3" };

/**
 * Servers of the official packages: `stateless` speaks 2026-07-28 only, `both` also the revisions before it without a
 * session, `session` those with one, `sse` the transport before that.
 */
export function createOfficial(planOf: (id: string) => Plan) {
	const sessions = new Map<string, StreamableHTTPServerTransport>();
	const streams = new Map<string, SSEServerTransport>();
	const hasLost = new Set<string>();
	return async (
		request: IncomingMessage,
		response: ServerResponse,
		{ id, era, rest }: Place,
	): Promise<void> => {
		const plan = planOf(id);
		const isRefused = Object.entries(plan.headers ?? {}).some(
			([name, value]) => request.headers[name] !== value,
		);
		if (isRefused) return void response.writeHead(401).end("no such token");
		if (era === "sse") return serveSse(request, response, rest, streams, plan);
		if (era === "session") {
			const isLost = plan.losesFirstSession === true && !hasLost.has(id);
			return serveSession(request, response, plan, sessions, () => {
				if (isLost) hasLost.add(id);
				return !isLost;
			});
		}
		const handler = createMcpHandler(() => statelessServer(plan), {
			legacy: era === "both" ? "stateless" : "reject",
		});
		await toNodeHandler(handler)(request, response);
	};
}

function statelessServer(plan: Plan): Server {
	const server = new Server(INFO, { capabilities: { tools: {} } });
	server.setRequestHandler("tools/list", async ({ params }) => ({
		...pageOf(plan, params?.cursor),
		...(plan.ttlMs !== undefined && { ttlMs: plan.ttlMs, cacheScope: "private" as const }),
	}));
	server.setRequestHandler("tools/call", async ({ params }, ctx) => {
		const token = params._meta?.progressToken;
		return answerCall(plan, params, async (progress) => {
			if (token !== undefined)
				await ctx.mcpReq.notify({
					method: "notifications/progress",
					params: { progressToken: token, progress, total: 3, message: `step ${progress}` },
				});
		});
	});
	return server;
}

function sessionServer(plan: Plan): SessionServer {
	const server = new SessionServer(INFO, { capabilities: { tools: {} } });
	server.setRequestHandler(ListToolsRequestSchema, async ({ params }) => pageOf(plan, params?.cursor));
	server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
		const token = params._meta?.progressToken;
		return answerCall(plan, params, async (progress) => {
			if (token !== undefined)
				await extra.sendNotification({
					method: "notifications/progress",
					params: { progressToken: token, progress, total: 3, message: `step ${progress}` },
				});
		});
	});
	return server;
}

async function answerCall(
	{ calls = {} }: Plan,
	{ name, arguments: given = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
	notify: (progress: number) => Promise<void>,
) {
	const { result, error, delayMs = 0, progress = [] } = calls[name] ?? {};
	for (const value of progress) await notify(value);
	await new Promise((resolve) => setTimeout(resolve, delayMs));
	if (error !== undefined) throw new Error(error);
	return { content: [{ type: "text" as const, text: JSON.stringify(given) }], ...result };
}

function pageOf({ tools = [], pageSize = tools.length }: Plan, cursor = "0") {
	const start = Number(cursor);
	const end = start + pageSize;
	return { tools: tools.slice(start, end), ...(end < tools.length && { nextCursor: String(end) }) };
}

async function serveSession(
	request: IncomingMessage,
	response: ServerResponse,
	plan: Plan,
	sessions: Map<string, StreamableHTTPServerTransport>,
	isKept: () => boolean,
): Promise<void> {
	const known = sessions.get(String(request.headers["mcp-session-id"]));
	if (known) return known.handleRequest(request, response);
	if (request.headers["mcp-session-id"] !== undefined)
		return void response.writeHead(404).end("no such session");
	const transport = new StreamableHTTPServerTransport({
		sessionIdGenerator: () => randomUUID(),
		onsessioninitialized: (session) => {
			if (isKept()) sessions.set(session, transport);
		},
		onsessionclosed: (session) => void sessions.delete(session),
	});
	await sessionServer(plan).connect(transport);
	await transport.handleRequest(request, response);
}

async function serveSse(
	request: IncomingMessage,
	response: ServerResponse,
	[step = ""]: string[],
	streams: Map<string, SSEServerTransport>,
	plan: Plan,
): Promise<void> {
	const { pathname, searchParams } = new URL(request.url ?? "/", "http://official");
	if (request.method === "GET" && step === "") {
		const transport = new SSEServerTransport(`${pathname}/messages`, response);
		streams.set(transport.sessionId, transport);
		response.on("close", () => streams.delete(transport.sessionId));
		return sessionServer(plan).connect(transport);
	}
	const stream = streams.get(searchParams.get("sessionId") ?? "");
	if (!stream) return void response.writeHead(404).end("no such session");
	await stream.handlePostMessage(request, response);
}

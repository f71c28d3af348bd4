import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { ToolCallResult } from "@parley/contracts/agents/tool-calls";
import { startLoopback } from "@parley/testing/loopback";
import { formatToolset, type ToolsetFormat } from "@parley/toolset-formats/format-toolset";
import type { ToolDefinition } from "@parley/toolset-formats/schema";
import { onTestFinished } from "vitest";
import { type AgentRuntime, createAgentRuntime, type Variables } from "../src/runtime.ts";

export const AGENT_ID = "01938f5e-7c00-7000-8000-0000000000a1";
export const SESSION_ID = "01938f5e-7c00-7000-8000-0000000000b1";

const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
export const TOOLS: ToolDefinition[] = [
	{ name: "get_forecast", description: "Look up the weather.", parameters: city },
	{ name: "hang_up", description: "End the call.", parameters: { type: "object", properties: {} } },
	{ name: "book_table", description: "Book a table.", parameters: city },
];

const RESULT: ToolCallResult = {
	id: "01938f5e-7c00-7000-8000-0000000000c1",
	attachment_id: "01938f5e-7c00-7000-8000-0000000000d1",
	name: "get_forecast",
	tool_id: "01938f5e-7c00-7000-8000-0000000000e1",
	version: 3,
	status: "succeeded",
	latency_ms: 84,
	output: { forecast: "clear" },
	validation: "na",
	content: '{"forecast":"clear"}',
	instructions: "Read it out in one sentence.",
	directive: null,
	error: null,
};
const nothing = { output: null, instructions: null };

/** Results by tool name: one that succeeds, one with a directive, one that fails. */
export const RESULTS: Record<string, ToolCallResult> = {
	get_forecast: RESULT,
	hang_up: {
		...RESULT,
		...nothing,
		name: "hang_up",
		content: "The call ends.",
		directive: { type: "end_call", wait_for_completion: true },
	},
	book_table: {
		...RESULT,
		...nothing,
		name: "book_table",
		status: "failed",
		content: "The booking system answered 503.",
		error: { code: "HTTP_ERROR", message: "The booking system answered 503." },
	},
};

export type Received = { method: string; url: string; headers: IncomingHttpHeaders; body: unknown };
type Answer = (request: Received, response: ServerResponse) => boolean;

/** Starts a server that answers the runtime API. `first` may answer a request in its place. */
export async function startRuntime(
	first: Answer = () => false,
	variables?: Variables,
): Promise<{ runtime: AgentRuntime; received: Received[] }> {
	const received: Received[] = [];
	const { url, stop } = await startLoopback(async (incoming, response) => {
		const request = await read(incoming);
		received.push(request);
		if (!first(request, response)) answer(request, response);
	});
	onTestFinished(stop);
	const options = { baseUrl: url, key: "parley_ag_key", agentId: AGENT_ID, ...(variables && { variables }) };
	return { runtime: createAgentRuntime(options), received };
}

async function read(incoming: IncomingMessage): Promise<Received> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk);
	const text = Buffer.concat(chunks).toString();
	const { method = "", url = "", headers } = incoming;
	return { method, url, headers, body: text === "" ? undefined : JSON.parse(text) };
}

export function sendJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): true {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify(body));
	return true;
}

export const refusal = (code: string, message: string, retryable = false) => ({
	detail: message,
	error: { code, message, retryable },
});

function answer({ method, url, headers }: Received, response: ServerResponse): void {
	const { pathname, searchParams } = new URL(url, "http://loopback");
	const rest = pathname.replace(`/v1/agents/${AGENT_ID}`, "");
	const name = /^\/tools\/([^/]+)\/call$/.exec(rest)?.[1];
	if (name !== undefined) {
		const result = RESULTS[name];
		if (result) sendJson(response, 200, result);
		else sendJson(response, 404, refusal("TOOL_NOT_ATTACHED", `There is no ${name}. Tools: get_forecast.`));
	} else if (rest === "/tools") sendToolset(response, searchParams, headers);
	else if (rest === "/sessions") sendJson(response, 201, SESSION);
	else if (rest === "/events") sendJson(response, 200, { calls: [RESULT] });
	else if (method === "DELETE") response.writeHead(204).end();
	else sendJson(response, 404, refusal("RESOURCE_NOT_FOUND", `Not found: ${rest}`));
}

const ETAG = '"version-4"';

function sendToolset(response: ServerResponse, query: URLSearchParams, headers: IncomingHttpHeaders): void {
	if (headers["if-none-match"] === ETAG) {
		response.writeHead(304, { etag: ETAG }).end();
		return;
	}
	const toolset = formatToolset(query.get("format") as ToolsetFormat, TOOLS);
	const pre_action_messages = { get_forecast: { text: "One moment, please.", wait: true } };
	const body = { agent_id: AGENT_ID, agent_version: 4, etag: ETAG, ...toolset, pre_action_messages };
	sendJson(response, 200, body, { etag: ETAG });
}

const SESSION = {
	session_id: SESSION_ID,
	token: "parley_st_token",
	expires_at: "2026-11-22T18:00:00.000Z",
	agent_version: 4,
	greeting: "Miller's Bakery!",
	system_prompt: "Be brief.",
	models: {},
	mcp_url: `http://loopback/v1/agents/${AGENT_ID}/mcp`,
	tools_url: `http://loopback/v1/agents/${AGENT_ID}/tools`,
	warnings: [],
};

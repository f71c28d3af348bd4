// MCP clients as their packages ship them, behind the few things that the tests do with each.
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { MCPServerStreamableHttp } from "@openai/agents";

type Given = Record<string, string>;

/** What a client hands to its user after a call. */
export type Outcome = { text: string; isError: boolean; meta: Record<string, unknown> };

export type McpClient = {
	list: () => Promise<string[]>;
	/** @throws for a tool that does not exist */
	call: (name: string, given: Given) => Promise<Outcome>;
	close: () => Promise<unknown>;
};

export type Connect = (url: string, key: string) => Promise<McpClient>;

type Result = {
	content?: unknown;
	isError?: boolean | undefined;
	_meta?: Record<string, unknown> | undefined;
};

function toOutcome({ content, isError, _meta }: Result): Outcome {
	const parts = Array.isArray(content) ? (content as { text?: string }[]) : [];
	return {
		text: parts.map(({ text }) => text ?? "").join("\n"),
		isError: isError === true,
		meta: _meta ?? {},
	};
}

const headersOf = (key: string) => ({ authorization: `Bearer ${key}` });
const INFO = { name: "parley-tests", version: "1.0.0" };

const sdkV1: Connect = async (url, key) => {
	const client = new ClientV1(INFO);
	const transport = new TransportV1(new URL(url), { requestInit: { headers: headersOf(key) } });
	await client.connect(transport as Parameters<typeof client.connect>[0]);
	return {
		list: async () => (await client.listTools()).tools.map(({ name }) => name),
		call: async (name, given) => toOutcome((await client.callTool({ name, arguments: given })) as Result),
		close: () => client.close(),
	};
};

const clientV2 =
	(mode: "legacy" | "auto"): Connect =>
	async (url, key) => {
		const client = new Client(INFO, mode === "auto" ? { versionNegotiation: { mode } } : {});
		await client.connect(
			new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headersOf(key) } }),
		);
		return {
			list: async () => (await client.listTools()).tools.map(({ name }) => name),
			call: async (name, given) => toOutcome((await client.callTool({ name, arguments: given })) as Result),
			close: () => client.close(),
		};
	};

const run = promisify(execFile);
const INSPECTOR = join(
	dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")),
	"clients/launcher/build/index.js",
);

const inspector: Connect = async (url, key) => {
	const inspect = async (...more: string[]) => {
		const target = ["--cli", url, "--transport", "http", "--header", `Authorization: Bearer ${key}`];
		const { stdout } = await run(process.execPath, [INSPECTOR, ...target, ...more]).catch((error) => {
			// A result with isError ends the command with a status, and is printed all the same.
			if (typeof error.stdout === "string" && error.stdout.trim().startsWith("{")) return error;
			throw error;
		});
		return JSON.parse(stdout);
	};
	return {
		list: async () => {
			const { tools } = (await inspect("--method", "tools/list")) as { tools: { name: string }[] };
			return tools.map(({ name }) => name);
		},
		call: async (name, given) => {
			const pairs = Object.entries(given).flatMap(([key, value]) => ["--tool-arg", `${key}=${value}`]);
			return toOutcome(await inspect("--method", "tools/call", "--tool-name", name, ...pairs));
		},
		close: async () => undefined,
	};
};

const aiSdk: Connect = async (url, key) => {
	const client = await createMCPClient({ transport: { type: "http", url, headers: headersOf(key) } });
	return {
		list: async () => Object.keys(await client.tools()),
		call: async (name, given) => {
			const tool = (await client.tools())[name];
			if (!tool) throw new Error(`The client knows no tool ${name}`);
			const options = { toolCallId: "1", messages: [], context: {} };
			return toOutcome((await tool.execute(given, options as never)) as Result);
		},
		close: () => client.close(),
	};
};

const openAiAgents: Connect = async (url, key) => {
	const server = new MCPServerStreamableHttp({
		url,
		name: "parley",
		requestInit: { headers: headersOf(key) },
	});
	await server.connect();
	return {
		list: async () => (await server.listTools()).map(({ name }) => name),
		call: async (name, given) => toOutcome((await server.callToolResult(name, given)) as Result),
		close: () => server.close(),
	};
};

/** Name of each client, and the protocol version that it speaks with Parley. */
export const MCP_CLIENTS: [name: string, connect: Connect, revision: string][] = [
	["@modelcontextprotocol/sdk 1", sdkV1, "2025-11-25"],
	["@modelcontextprotocol/client 2", clientV2("legacy"), "2025-11-25"],
	["@modelcontextprotocol/client 2, auto", clientV2("auto"), "2026-07-28"],
	["Inspector", inspector, "2025-11-25"],
	["@ai-sdk/mcp", aiSdk, "2026-07-28"],
	["@openai/agents", openAiAgents, "2026-07-28"],
];

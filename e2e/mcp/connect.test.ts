import type { ConnectResult, McpServer } from "@parley/contracts/agents/mcp-servers";
import { startLoopback } from "@parley/testing/loopback";
import { type Everything, startEverything } from "@parley/testing/mcp-peers/everything";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const root = `${inject("baseUrl")}/v1/agents/mcp-servers`;
const headers = { authorization: `Bearer ${inject("keys").api_key}` };

let everything: Everything;

beforeAll(async () => {
	everything = await startEverything("streamableHttp");
});
afterAll(() => everything.stop());

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
	const init = body === undefined ? {} : { body: JSON.stringify(body) };
	const response = await fetch(`${root}${path}`, { method, headers, ...init });
	return (await response.json()) as T;
}

const register = (name: string, url_template: string) => call<McpServer>("POST", "", { name, url_template });

test("the stack connects to the reference server and keeps what it found", async () => {
	const { id } = await register("everything", everything.url);
	const result = await call<ConnectResult>("POST", `/${id}/connect`);
	expect(result, JSON.stringify(result)).toMatchObject({ status: "connected", error: null });
	expect(result.capabilities.tools.length).toBeGreaterThan(5);
	const server = await call<McpServer>("GET", `/${id}`);
	expect(server).toMatchObject({ capability_status: "healthy", capabilities: result.capabilities });
});

test("a connect to a server that never answers ends within 15 seconds", async () => {
	const silent = await startLoopback(() => undefined);
	try {
		const { id } = await register("silent", `${silent.url}/mcp`);
		const startedAt = performance.now();
		const { error } = await call<ConnectResult>("POST", `/${id}/connect`);
		expect(error?.code).toBe("timeout");
		expect(performance.now() - startedAt).toBeLessThan(15_000);
	} finally {
		await silent.stop();
	}
});

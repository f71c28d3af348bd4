import { connect } from "node:net";
import { startLoopback } from "@parley/testing/loopback";
import { expect, inject, test } from "vitest";
import { api, attachTool, createAgent, publishTool } from "../clients/agent.ts";

type Recorded = { status: string; error: { code: string } | null };

/** Calls a tool that answers after the test, and breaks the connection once the tool has been asked. */
test("a client that disconnects cancels its call, which is recorded all the same", async () => {
	const asked = Promise.withResolvers<void>();
	let requests = 0;
	const endpoint = await startLoopback((request, response) => {
		request.resume();
		// The first request is the test run that publishing needs.
		if (requests++ === 0) response.end("{}");
		else asked.resolve();
	});
	const config = {
		...{ type: "api_request", url: `${endpoint.url}/slow`, http_method: "GET", retries: 0 },
		parameters: { type: "object", properties: { city: { type: "string" } } },
	};
	const tool = await publishTool("slow", "api_request", { config });
	const { id } = await createAgent({ tool_refs: [attachTool(tool)] });
	const { name } = await api<{ name: string }>("GET", `/agents/tools/${tool}`);

	const { hostname, port } = new URL(inject("baseUrl"));
	const socket = connect(Number(port), hostname);
	const body = JSON.stringify({
		jsonrpc: "2.0",
		id: 1,
		method: "tools/call",
		params: { name, arguments: {} },
	});
	const headers = [
		...[`POST /v1/agents/${id}/mcp HTTP/1.1`, `Host: ${hostname}:${port}`, "Content-Type: application/json"],
		...[`Authorization: Bearer ${inject("keys").api_key}`, `Content-Length: ${body.length}`],
	];
	socket.write(`${headers.join("\r\n")}\r\n\r\n${body}`);
	await asked.promise;
	socket.resetAndDestroy();

	const findRecord = async () =>
		(await api<{ items: Recorded[] }>("GET", `/agents/${id}/tool-calls`)).items[0];
	await expect
		.poll(findRecord, { timeout: 15_000, interval: 250 })
		.toMatchObject({ status: "failed", error: { code: "CANCELLED" } });
	await endpoint.stop();
});

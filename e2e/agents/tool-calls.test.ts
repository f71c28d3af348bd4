import { connect } from "node:net";
import { startLoopback } from "@parley/testing/loopback";
import { afterAll, expect, inject, test } from "vitest";
import { createLiveAgent } from "./live-agent.ts";

const TOOL_MS = 1_500;

let isSlow = false;
let asked = 0;
const tool = await startLoopback((request, response) => {
	asked++;
	request.resume();
	setTimeout(
		() => response.writeHead(200, { "content-type": "application/json" }).end('{"forecast":"clear"}'),
		isSlow ? TOOL_MS : 0,
	);
});
afterAll(() => tool.stop());

/** Sends a request and breaks the connection as soon as the check says so. */
async function sendAndBreak(
	path: string,
	key: string,
	body: string,
	untilTrue: () => boolean,
): Promise<void> {
	const { hostname, port } = new URL(inject("baseUrl"));
	const socket = connect(Number(port), hostname);
	const lines = [
		`POST ${path} HTTP/1.1`,
		`Host: ${hostname}:${port}`,
		`Authorization: Bearer ${key}`,
		...["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`, "", body],
	];
	socket.on("error", () => {});
	socket.write(lines.join("\r\n"));
	await expect.poll(untilTrue, { timeout: 10_000, interval: 10 }).toBe(true);
	socket.resetAndDestroy();
}

test("a call whose client goes away goes on, is recorded as it ended, and gives its slot back", async () => {
	const live = await createLiveAgent(
		{ baseUrl: inject("baseUrl"), keys: inject("keys") },
		`${tool.url}/forecast`,
	);
	[isSlow, asked] = [true, 0];
	await sendAndBreak(live.callPath, live.key, '{"tool_call_id":"gone"}', () => asked === 1);
	await expect
		.poll(async () => (await live.records()).map(({ status, tool_call_id }) => [tool_call_id, status]), {
			timeout: 15_000,
		})
		.toEqual([["gone", "succeeded"]]);
	isSlow = false;
	expect((await live.call("next")).status).toBe("succeeded");
});

test("an agent key calls its agent's tools and reads no records", async () => {
	const live = await createLiveAgent(
		{ baseUrl: inject("baseUrl"), keys: inject("keys") },
		`${tool.url}/forecast`,
	);
	expect(await live.call("mine")).toMatchObject({ status: "succeeded", output: { forecast: "clear" } });
	const { status } = await fetch(`${inject("baseUrl")}/v1/agents/${live.agentId}/tool-calls`, {
		headers: { authorization: `Bearer ${live.key}` },
	});
	expect(status).toBe(403);
});

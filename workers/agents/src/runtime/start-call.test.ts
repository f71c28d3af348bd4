import { exports } from "cloudflare:workers";
import type { Actor } from "@parley/context/actor";
import type { AgentRuntimeRpc, RuntimeProgress } from "@parley/contracts/internal/agent-runtime-rpc";
import { createPeer, type Plan } from "@parley/testing/mcp-peers/create-peer";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import { createEndpoint } from "../../test/endpoint.ts";
import { inSession, liveAgent, namedTool, toolRef } from "../../test/live-agent.ts";
import { attach, connect, registerServer } from "../../test/mcp-servers.ts";

const runtime = (exports as unknown as { AgentRuntime: Pick<AgentRuntimeRpc<Actor>, "startCall"> })
	.AgentRuntime;

async function agentWith(behaviour: string) {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await namedTool(client, "forecast", "api_request", {
		config: { url: endpoint.url(behaviour), http_method: "POST" },
		parameters: { city: { type: "string" } },
	});
	const live = await liveAgent(client, { tool_refs: [toolRef(tool)] });
	const { actor } = inSession(client.ctx(), live.agent.id);
	return { client, endpoint, ...live, target: { actor, agentId: live.agent.id, requestId: "test" } };
}

test("a call by RPC answers as a call by HTTP does", async () => {
	const { target, recordOf } = await agentWith('json?value={"forecast":"clear"}');
	const running = await runtime.startCall(target, {
		...{ name: "forecast", arguments: { city: "Oslo" }, toolCallId: "call_7" },
	});
	const answer = await running.result();
	expect(answer).toMatchObject({
		ok: true,
		value: { status: "succeeded", version: 1, output: { forecast: "clear" }, has_output_schema: false },
	});
	if (!answer.ok) throw new Error("unreachable");
	expect(await recordOf(answer.value.id)).toMatchObject({ tool_call_id: "call_7", actor: target.actor.id });
});

test("a refusal travels as a value with its code", async () => {
	const { target } = await agentWith("echo");
	const running = await runtime.startCall(target, { name: "weather", arguments: {} });
	expect(await running.result()).toMatchObject({
		ok: false,
		refusal: { code: "TOOL_NOT_ATTACHED", message: expect.stringContaining("forecast") },
	});
});

test("a credential of another agent is refused", async () => {
	const [own, other] = [await agentWith("echo"), await agentWith("echo")];
	const target = { ...own.target, agentId: other.agent.id };
	const running = await runtime.startCall(target, { name: "forecast", arguments: {} });
	expect(await running.result()).toMatchObject({ ok: false, refusal: { code: "FORBIDDEN" } });
});

test("a cancelled call ends at once and is recorded as cancelled", async () => {
	const { target, recordOf, endpoint } = await agentWith("hang");
	const running = await runtime.startCall(target, { name: "forecast", arguments: {} });
	await expect.poll(async () => (await endpoint.seen()).length).toBe(1);
	await running.cancel();
	const answer = await running.result();
	expect(answer).toMatchObject({ ok: true, value: { status: "failed", error: { code: "CANCELLED" } } });
	if (!answer.ok) throw new Error("unreachable");
	expect(await recordOf(answer.value.id)).toMatchObject({ status: "failed", error: { code: "CANCELLED" } });
});

test("a caller that lets go of its call cancels it, and the call is recorded", async () => {
	const { target, records, endpoint } = await agentWith("hang");
	const running = await runtime.startCall(target, { name: "forecast", arguments: {} });
	await expect.poll(async () => (await endpoint.seen()).length).toBe(1);
	(running as unknown as Disposable)[Symbol.dispose]();
	await expect
		.poll(async () => (await records()).map(({ error }) => error?.code), { timeout: 5_000 })
		.toEqual(["CANCELLED"]);
});

/** Creates an agent with the tool `crawl` of a real MCP server. */
async function crawlAgent(plan: Plan) {
	const [client, peer] = [await createClient(), createPeer()];
	await peer.plan({ tools: [{ name: "crawl", inputSchema: { type: "object" } }], ...plan });
	const server = await registerServer(client, peer.official("stateless"));
	const { capabilities } = await connect(client, server);
	const live = await liveAgent(client, { mcp_refs: [attach(server, capabilities.tools[0]!)] });
	const { actor } = inSession(client.ctx(), live.agent.id);
	return { peer, ...live, target: { actor, agentId: live.agent.id, requestId: "test" } };
}

test("progress of an MCP server is relayed in order", async () => {
	const { target } = await crawlAgent({ calls: { crawl: { progress: [1, 2, 3] } } });
	const seen: RuntimeProgress[] = [];
	const running = await runtime.startCall(
		target,
		{ name: "crawl", arguments: {} },
		(progress) => void seen.push(progress),
	);
	expect(await running.result()).toMatchObject({ ok: true, value: { status: "succeeded" } });
	await expect
		.poll(() => seen)
		.toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
});

test("a cancelled call of an MCP tool does not wait for the server", async () => {
	const { target, peer, recordOf } = await crawlAgent({ calls: { crawl: { delayMs: 20_000 } } });
	const before = (await peer.seen()).length;
	const startedAt = Date.now();
	const running = await runtime.startCall(target, { name: "crawl", arguments: {} });
	await expect.poll(async () => (await peer.seen()).length, { timeout: 5_000 }).toBeGreaterThan(before);
	await running.cancel();
	const answer = await running.result();
	expect(Date.now() - startedAt).toBeLessThan(10_000);
	expect(answer).toMatchObject({ ok: true, value: { status: "failed", error: { code: "CANCELLED" } } });
	if (!answer.ok) throw new Error("unreachable");
	expect(await recordOf(answer.value.id)).toMatchObject({ status: "failed", error: { code: "CANCELLED" } });
});

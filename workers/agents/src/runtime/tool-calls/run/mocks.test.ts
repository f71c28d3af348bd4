import { TOOL_CALL_LIMITS } from "@parley/contracts/agents/tool-calls";
import { expect, test } from "vitest";
import { createClient } from "../../../../test/client.ts";
import { createEndpoint } from "../../../../test/endpoint.ts";
import { inSession, liveAgent, namedTool, toolRef } from "../../../../test/live-agent.ts";
import { callTool } from "../call-tool.ts";

/** Creates an agent whose tool has a mock for Oslo, and calls it in a session that answers from mocks. */
async function mockedAgent() {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const tool = await namedTool(client, "forecast", "api_request", {
		config: { url: endpoint.url("echo"), http_method: "POST" },
		parameters: { "city!": { type: "string" }, unit: { type: "string" } },
	});
	const made = await client.call("POST", `/v1/agents/tools/${tool}/cases`, {
		...{ name: "clear sky in Oslo", arguments: { city: "Oslo", unit: "C" } },
		mock: { status: 200, body: { forecast: "clear" } },
	});
	expect(made.status).toBe(201);
	const live = await liveAgent(client, {
		tool_refs: [toolRef(tool, { argument_overrides: { unit: "C" } })],
	});
	const ctx = inSession(client.ctx(), live.agent.id, { mocks: true });
	const call = (given: object) =>
		callTool(ctx, {
			...{ agentId: live.agent.id, name: "forecast" },
			body: { arguments: { ...given }, deadline_ms: TOOL_CALL_LIMITS.defaultDeadlineMs },
		});
	return { ...live, endpoint, call };
}

test("a session with mocks answers from the matching test case, and the endpoint hears nothing", async () => {
	const { endpoint, call, recordOf } = await mockedAgent();
	const result = await call({ city: "Oslo" });
	expect(result).toMatchObject({ status: "succeeded", output: { forecast: "clear" } });
	expect(await recordOf(result.id)).toMatchObject({ mocked: true });
	expect(await endpoint.seen()).toEqual([]);
});

test("a session with mocks fails loudly where no test case matches", async () => {
	const { endpoint, call } = await mockedAgent();
	const result = await call({ city: "Bergen" });
	expect(result).toMatchObject({ status: "failed", error: { code: "MOCK_MISSING" } });
	expect(result.content).toContain("forecast");
	expect(await endpoint.seen()).toEqual([]);
});

test("arguments are checked before a mock is looked for", async () => {
	const { call } = await mockedAgent();
	expect(await call({ city: 5 })).toMatchObject({ status: "rejected", error: { code: "INVALID_ARGUMENTS" } });
});

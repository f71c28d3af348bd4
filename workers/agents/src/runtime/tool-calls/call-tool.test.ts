import { env } from "cloudflare:workers";
import { TOOL_CALL_LIMITS } from "@parley/contracts/agents/tool-calls";
import { openDatabase } from "@parley/db/client";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../../test/client.ts";
import { createEndpoint } from "../../../test/endpoint.ts";
import { inSession, liveAgent, namedTool, toolRef } from "../../../test/live-agent.ts";
import { putSecret } from "../../../test/tools.ts";
import { callTool } from "./call-tool.ts";

const body = (given: Record<string, unknown> = {}) => ({
	...{ arguments: given, deadline_ms: TOOL_CALL_LIMITS.defaultDeadlineMs },
});

/** Creates an agent with one tool that calls an endpoint of this test. */
async function requestAgent(
	client: Client,
	behaviour: string,
	options: object = {},
	ref: object = {},
	agent: object = {},
) {
	const endpoint = createEndpoint();
	const { config, ...rest } = options as { config?: object };
	const tool = await namedTool(client, "forecast", "api_request", {
		config: { url: endpoint.url(behaviour), http_method: "POST", ...config },
		...rest,
	});
	return { endpoint, tool, ...(await liveAgent(client, { tool_refs: [toolRef(tool, ref)], ...agent })) };
}

test("a tool is called with the model's arguments, and the answer holds its output for the model", async () => {
	const client = await createClient();
	const { endpoint, tool, agent, call, recordOf } = await requestAgent(
		client,
		'json?value={"forecast":"clear"}',
		{
			parameters: { "city!": { type: "string" } },
			config: { body_format: "envelope", response: { show_to_llm: true, instructions: "Read it out." } },
		},
	);
	const { status, body } = await call("forecast", { arguments: { city: "Oslo" }, tool_call_id: "call_1" });
	expect([status, body]).toEqual([
		200,
		{
			...{ id: expect.any(String), attachment_id: agent.tool_refs[0]?.attachment_id, name: "forecast" },
			...{ tool_id: tool, version: 1, status: "succeeded", latency_ms: expect.any(Number) },
			...{ output: { forecast: "clear" }, content: '{"forecast":"clear"}', instructions: "Read it out." },
			...{ directive: null, error: null, validation: "na" },
		},
	]);
	const [seen] = await endpoint.seen();
	expect(JSON.parse(seen?.body ?? "")).toMatchObject({
		...{ arguments: { city: "Oslo" }, tool_name: "forecast", run_id: body.id },
	});
	expect(await recordOf(body.id)).toMatchObject({
		...{ id: body.id, status: "succeeded", arguments: { city: "Oslo" }, output: { forecast: "clear" } },
		...{ tool_call_id: "call_1", agent_version: 1, session_id: null, call_id: null, event: null },
		...{ latency_ms: body.latency_ms, validation: "na", mocked: false, ended_at: expect.any(String) },
	});
});

test("invalid arguments are rejected with the argument's path, and nothing is sent", async () => {
	const client = await createClient();
	const { endpoint, call, recordOf } = await requestAgent(client, "echo", {
		parameters: { "city!": { type: "string" }, days: { type: "integer" } },
	});
	const { status, body } = await call("forecast", { arguments: { days: "two" } });
	expect([status, body.status, body.error?.code]).toEqual([200, "rejected", "INVALID_ARGUMENTS"]);
	expect(body.error?.fields?.map(({ path }) => path).toSorted()).toEqual([
		"arguments.city",
		"arguments.days",
	]);
	expect(body.content).toMatch(/^The arguments were rejected: arguments\./);
	expect(await endpoint.seen()).toEqual([]);
	expect((await recordOf(body.id)).status).toBe("rejected");
});

test("a tool that fails is answered with 200 and its reason", async () => {
	const client = await createClient();
	const { call } = await requestAgent(client, "status/503");
	const { status, body } = await call("forecast");
	expect([status, body.status, body.error]).toEqual([
		...[200, "failed"],
		{ code: "HTTP_ERROR", message: "The endpoint answered with status 503" },
	]);
	expect(body.content).toBe("The tool failed: The endpoint answered with status 503");
});

test("a tool that hangs ends as timed_out at the caller's deadline", async () => {
	const client = await createClient();
	const { call, recordOf } = await requestAgent(client, "hang");
	const { body } = await call("forecast", { deadline_ms: 1000 });
	expect([body.status, body.error?.code]).toEqual(["timed_out", "TIMED_OUT"]);
	expect(body.latency_ms).toBeGreaterThanOrEqual(990);
	expect(body.latency_ms).toBeLessThan(3000);
	expect((await recordOf(body.id)).status).toBe("timed_out");
});

test("fixed arguments replace the model's, take variables and vault entries, and never show", async () => {
	const client = await createClient();
	await putSecret(client, "SHOP_TOKEN", "s3cr3t-value-1");
	const { endpoint, agent, recordOf } = await requestAgent(
		client,
		"echo",
		{ parameters: { city: { type: "string" }, order: { type: "integer" }, token: { type: "string" } } },
		{ argument_overrides: { order: "{{order_id}}", token: "{{$SHOP_TOKEN}}" } },
		{ template_defaults: { order_id: 1 } },
	);
	const ctx = inSession(client.ctx(), agent.id, { variables: { order_id: 4711 } });
	const result = await callTool(ctx, {
		...{ agentId: agent.id, name: "forecast", body: body({ city: "Oslo", order: 5, token: "mine" }) },
	});
	expect(result.status).toBe("succeeded");
	const [seen] = await endpoint.seen();
	expect(JSON.parse(seen?.body ?? "")).toEqual({
		city: "Oslo",
		order: 4711,
		token: "s3cr3t-value-1",
	});
	const record = await recordOf(result.id);
	expect(JSON.stringify([result, record])).not.toContain("s3cr3t-value-1");
	expect(record.arguments).toEqual({ city: "Oslo", order: 5, token: "mine" });
});

test("a variable without a value fails the call and names it", async () => {
	const client = await createClient();
	const { call, endpoint } = await requestAgent(
		client,
		"echo",
		{ parameters: { order: { type: "string" } } },
		{ argument_overrides: { order: "{{order_id}}" } },
	);
	const { body } = await call("forecast");
	expect([body.status, body.error?.code]).toEqual(["failed", "MISSING_VARIABLE"]);
	expect(body.error?.message).toContain("order_id");
	expect(await endpoint.seen()).toEqual([]);
});

test("without a session, variables come from the header", async () => {
	const client = await createClient();
	const { call, endpoint } = await requestAgent(
		client,
		"echo",
		{ parameters: { order: { type: "string" } } },
		{ argument_overrides: { order: "{{order_id}}" } },
	);
	const headers = { "x-parley-variables": btoa('{"order_id":"A-7"}') };
	expect((await call("forecast", {}, headers)).body.status).toBe("succeeded");
	expect(JSON.parse((await endpoint.seen())[0]?.body ?? "")).toEqual({ order: "A-7" });
	const refused = await call("forecast", {}, { "x-parley-variables": "no json" });
	expect([refused.status, refused.body.error?.code]).toEqual([422, "VALIDATION_FAILED"]);
});

test("a fixed argument that the tool does not accept fails the call without showing the value", async () => {
	const client = await createClient();
	const { call } = await requestAgent(
		client,
		"echo",
		{ parameters: { order: { type: "integer" } } },
		{ argument_overrides: { order: "{{order_id}}" } },
		{ template_defaults: { order_id: "four" } },
	);
	const { body } = await call("forecast");
	expect(body).toMatchObject({ status: "failed", error: { code: "INVALID_ARGUMENTS" } });
	expect(body.error?.fields).toBeUndefined();
	expect(body.error?.message).toContain("order");
	expect(JSON.stringify(body)).not.toContain("four");
});

test("a tool whose secret was deleted fails and says which", async () => {
	const client = await createClient();
	await putSecret(client, "API_TOKEN", "token-value-22");
	const { call } = await requestAgent(client, "echo", {
		config: { auth: { type: "bearer", secret_name: "API_TOKEN" } },
	});
	expect((await call("forecast")).body.status).toBe("succeeded");
	await openDatabase(env.DB)
		.$client.prepare("delete from vault_entries where organisation_id = ?")
		.bind(client.id)
		.run();
	const { body } = await call("forecast");
	expect(body).toMatchObject({
		status: "failed",
		error: { code: "MISSING_VAULT_ENTRY", message: "Vault entry not found: API_TOKEN" },
	});
});

test("a secret that the endpoint echoes is redacted from output, content and record", async () => {
	const client = await createClient();
	await putSecret(client, "API_TOKEN", "token-value-23");
	const { call, recordOf } = await requestAgent(client, "echo", {
		config: { auth: { type: "bearer", secret_name: "API_TOKEN" } },
	});
	const { body } = await call("forecast");
	expect(body.content).toContain("[redacted]");
	expect(JSON.stringify([body, await recordOf(body.id)])).not.toContain("token-value-23");
});

test("content is empty if the tool's output is not for the model, and the output is answered all the same", async () => {
	const client = await createClient();
	const { call } = await requestAgent(client, 'json?value={"ok":true}', {
		config: { response: { show_to_llm: false } },
	});
	expect((await call("forecast")).body).toMatchObject({ content: "", output: { ok: true } });
});

test("content of more than 64 KiB ends with a mark, and the output stays whole", async () => {
	const client = await createClient();
	const { call } = await requestAgent(client, "big/100000");
	const { body } = await call("forecast");
	expect(new TextEncoder().encode(body.content).byteLength).toBeLessThanOrEqual(65_536);
	expect(body.content).toMatch(/\n\[truncated: 100010 bytes\]$/);
	expect((body.output as { big: string }).big).toHaveLength(100_000);
});

test("an unknown tool is not attached, and the answer lists the valid names", async () => {
	const client = await createClient();
	const system = { invocation: "system", system: { triggers: [{ event: "call_start" }], arguments: {} } };
	const hidden = await namedTool(client, "greet", "current_datetime", { config: { timezone: "UTC" } });
	const now = await namedTool(client, "now", "current_datetime", { config: { timezone: "UTC" } });
	const { call } = await liveAgent(client, { tool_refs: [toolRef(now), toolRef(hidden, system)] });
	for (const name of ["weather", "greet"]) {
		const { status, body } = await call(name);
		expect([status, body.error?.code]).toEqual([404, "TOOL_NOT_ATTACHED"]);
		expect(body.error?.message).toMatch(/Its tools are: now\.$/);
	}
});

test("a tool of an inactive agent is not called", async () => {
	const client = await createClient();
	const tool = await namedTool(client, "now", "current_datetime", { config: { timezone: "UTC" } });
	const { call } = await liveAgent(client, { tool_refs: [toolRef(tool)], status: "inactive" });
	const { status, body } = await call("now");
	expect([status, body.error?.code]).toEqual([409, "AGENT_INACTIVE"]);
});

test("current_datetime returns output in the attachment's timezone", async () => {
	const client = await createClient();
	const tool = await namedTool(client, "now", "current_datetime", { config: { timezone: "UTC" } });
	const overrides = { config_overrides: { type: "current_datetime", timezone: "Europe/Paris" } };
	const { call } = await liveAgent(client, { tool_refs: [toolRef(tool, overrides)] });
	expect((await call("now")).body).toMatchObject({
		status: "succeeded",
		output: { timezone: "Europe/Paris" },
	});
});

test("a code tool runs in the sandbox with its arguments", async () => {
	const client = await createClient();
	const tool = await namedTool(client, "quote", "code", {
		argumentSchema: { type: "object", properties: { weight: { type: "number" } } },
	});
	const { call } = await liveAgent(client, { tool_refs: [toolRef(tool)] });
	const { body } = await call("quote", { arguments: { weight: 2 } });
	expect(body).toMatchObject({ status: "succeeded", output: { arguments: { weight: 2 } } });
});

test("arguments of 1 MB are rejected, and the record does not hold them", async () => {
	const client = await createClient();
	const { call, endpoint, recordOf } = await requestAgent(client, "echo");
	const { status, body } = await call("forecast", { arguments: { text: "x".repeat(1_000_000) } });
	expect([status, body.status, body.error?.fields?.[0]?.path]).toEqual([200, "rejected", "arguments"]);
	expect((await recordOf(body.id)).arguments).toEqual({});
	expect(await endpoint.seen()).toEqual([]);
	const larger = await call("forecast", { arguments: { text: "x".repeat(1_048_576) } });
	expect([larger.status, larger.body.error?.code]).toEqual([413, "BODY_TOO_LARGE"]);
});

test("arguments nested a thousand levels deep are refused", async () => {
	const client = await createClient();
	const { call, agent } = await requestAgent(client, "echo");
	const deep = `${'{"a":'.repeat(1000)}1${"}".repeat(1000)}`;
	const { status, body } = await client.call<unknown>(
		"POST",
		`/v1/agents/${agent.id}/tools/forecast/call`,
		`{"arguments":${deep}}`,
	);
	expect([status, body.error.code]).toEqual([422, "VALIDATION_FAILED"]);
	expect((await call("forecast")).status).toBe(200);
});

test("of two raced calls with one Idempotency-Key only one runs", async () => {
	const client = await createClient();
	const { call, endpoint } = await requestAgent(client, "slow/300");
	const headers = { "idempotency-key": crypto.randomUUID() };
	const raced = await Promise.all([call("forecast", {}, headers), call("forecast", {}, headers)]);
	expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 409]);
	expect(raced.find(({ status }) => status === 409)?.body.error?.code).toBe("IDEMPOTENCY_IN_PROGRESS");
	const first = raced.find(({ status }) => status === 200);
	expect((await call("forecast", {}, headers)).body).toEqual(first?.body);
	expect(await endpoint.seen()).toHaveLength(1);
});

test("another organisation's agent is not found", async () => {
	const client = await createClient();
	const { agent } = await requestAgent(client, "echo");
	const stranger = await createClient();
	const { status, body } = await stranger.call<unknown>(
		"POST",
		`/v1/agents/${agent.id}/tools/forecast/call`,
		{},
	);
	expect([status, body.error.code]).toEqual([404, "RESOURCE_NOT_FOUND"]);
});

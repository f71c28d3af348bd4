import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents/agents";
import type { Call } from "@parley/contracts/agents/calls";
import type {
	OpenedRuntimeSession,
	RuntimeSession,
	RuntimeSessionPage,
} from "@parley/contracts/agents/runtime-sessions";
import { runtimeSessions } from "@parley/db/agents/runtime-sessions";
import { openDatabase } from "@parley/db/client";
import { apiKeys } from "@parley/db/platform/api-keys";
import { issueAgentKey, issueSessionToken } from "@parley/testing/agent-credentials";
import { issueKey } from "@parley/testing/organisation";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import type { z } from "zod";
import { createClient, request } from "../../../test/client.ts";
import { putSecret } from "../../../test/tools.ts";
import { removeOldSessions } from "./end-sessions.ts";

const db = openDatabase(env.DB);

async function settle(config: object = {}) {
	const client = await createClient();
	const { status, body: agent } = await client.call<Agent>("POST", "/v1/agents", {
		...{ name: "Front desk", greeting: "Hello", system_prompt: "Be brief." },
		...config,
	});
	expect(status, JSON.stringify(agent)).toBe(201);
	const { id: keyId, key: agentKey } = await issueAgentKey(env.DB, client.id, agent.id);
	const path = `/v1/agents/${agent.id}/sessions`;
	const open = (body: unknown = {}, key = agentKey, headers = {}) =>
		request<OpenedRuntimeSession>(key, "POST", path, body, headers);
	const update = (change: object) => client.call("PATCH", `/v1/agents/${agent.id}`, change);
	return { ...client, agent, agentKey, keyId, path, open, update };
}

test("a session answers with resolved texts, the models and the agent's addresses", async () => {
	const { agent, open, call, path, keyId } = await settle({
		greeting: "Hello {{name}}, you have {{ count }} orders of {{item}}.",
		system_prompt: 'Mention {{shop}}. JSON stays: {"a": {{}}}',
		template_defaults: { item: "bread", shop: "{{owner}}'s shop", name: "stranger" },
		models: { llm: "gpt" },
	});
	const variables = { name: "Ada {{item}}", count: 2, owner: "Miller" };
	const caller = { phone_number: "+14155550100" };
	const { status, headers, body } = await open({ variables, caller, ttl_seconds: 60 });
	expect(status).toBe(201);
	expect(body).toMatchObject({
		greeting: "Hello Ada {{item}}, you have 2 orders of bread.",
		system_prompt: 'Mention Miller\'s shop. JSON stays: {"a": {{}}}',
		...{ agent_version: 1, warnings: [], models: agent.models },
		mcp_url: `https://agents.parley.example/v1/agents/${agent.id}/mcp`,
		tools_url: `https://agents.parley.example/v1/agents/${agent.id}/tools`,
	});
	expect(body.token).toMatch(/^parley_st_[0-9A-Za-z]{38}$/);
	expect(Date.parse(body.expires_at) - Date.now()).toBeLessThanOrEqual(60_000);
	expect(headers.get("location")).toBe(`${path}/${body.session_id}`);
	const read = await call<RuntimeSession>("GET", headers.get("location") ?? "");
	expect(read.body).toMatchObject({ status: "open", variables, caller, created_by: `api_key:${keyId}` });
	expect(JSON.stringify(await db.select().from(runtimeSessions))).not.toContain(body.token);
});

test("a session keeps the version that it began with, and one of a pinned key has the key's version", async () => {
	const { id, agent, open, update } = await settle({ greeting: "one" });
	await update({ greeting: "two" });
	const { key } = await issueAgentKey(env.DB, id, agent.id, { agentVersion: 1 });
	expect((await open({}, key)).body).toMatchObject({ agent_version: 1, greeting: "one" });
	expect((await open()).body).toMatchObject({ agent_version: 2, greeting: "two" });
});

test("a session of a recorded call has the call's version and the greeting of its direction", async () => {
	const { agent, call, open, update, path } = await settle({ outbound_greeting: "Miller's Bakery calling" });
	const calls = `/v1/agents/${agent.id}/calls`;
	const { body: recorded } = await call<Call>("POST", calls, { direction: "outbound" });
	const { body: inbound } = await call<Call>("POST", calls, { direction: "inbound" });
	await update({ outbound_greeting: "changed" });
	const opened = (await open({ call_id: recorded.id })).body;
	expect(opened).toMatchObject({ agent_version: 1, greeting: "Miller's Bakery calling" });
	expect((await open({ call_id: inbound.id })).body.greeting).toBe("Hello");
	const ofCall = await call<z.infer<typeof RuntimeSessionPage>>("GET", `${path}?call_id=${recorded.id}`);
	expect(ofCall.body.items.map(({ session_id }) => session_id)).toEqual([opened.session_id]);

	await call("PATCH", `${calls}/${recorded.id}`, { status: "failed" });
	expect((await open({ call_id: recorded.id })).body.error.fields).toMatchObject([
		{ path: "call_id", message: expect.stringContaining("The call ended at") },
	]);
	const other = await settle();
	expect((await other.open({ call_id: inbound.id })).body.error.fields).toMatchObject([{ path: "call_id" }]);
});

test("a variable of the vault is inserted, and a secret never is", async () => {
	const client = await createClient();
	await putSecret(client, "SHOP", "Miller's Bakery", "variable");
	await putSecret(client, "PIN", "4711-secret");
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", {
		...{ name: "a", greeting: "{{$SHOP}}", system_prompt: "{{pin}} of {{$SHOP}}" },
		template_defaults: { pin: "{{$PIN}}" },
	});
	const { body } = await client.call<OpenedRuntimeSession>("POST", `/v1/agents/${agent.id}/sessions`, {});
	expect(body).toMatchObject({ greeting: "Miller's Bakery", system_prompt: "{{$PIN}} of Miller's Bakery" });
	expect(body.warnings).toEqual([expect.stringContaining("PIN is a secret")]);
	expect(JSON.stringify(body)).not.toContain("4711");
});

test("a variable without a value is refused with its name and the texts that use it", async () => {
	const { open } = await settle({ greeting: "{{name}}", system_prompt: "{{name}} {{toString}}" });
	const { status, body } = await open();
	expect([status, body.error.code]).toEqual([422, "VALIDATION_FAILED"]);
	expect(body.error.fields).toEqual([
		{ path: "variables.name", message: expect.stringContaining("greeting and system_prompt") },
		{ path: "variables.toString", message: expect.stringContaining("template_defaults has no value") },
	]);
});

test("a prompt that repeats a large variable is refused before it fills the memory", async () => {
	const { open } = await settle({
		system_prompt: "{{a}}".repeat(20_000),
		template_defaults: { b: "{{a}}".repeat(2_000) },
	});
	const { status, body } = await open({ variables: { a: "x".repeat(30_000) } });
	expect([status, body.error.code]).toEqual([422, "VALIDATION_FAILED"]);
	expect(body.error.fields).toEqual([
		{ path: "variables", message: expect.stringContaining("give shorter ones") },
	]);
	expect((await open({ variables: { a: "x" } })).status).toBe(201);
});

test.each<[string, object, string]>([
	["a nested variable", { variables: { a: { b: 1 } } }, "variables.a"],
	["a null variable", { variables: { a: null } }, "variables.a"],
	["variables as a list", { variables: ["a"] }, "variables"],
	["an empty name", { variables: { "": 1 } }, "variables."],
	["a name with braces", { variables: { "a}}": 1 } }, "variables.a}}"],
	["the name of a vault entry", { variables: { $PIN: 1 } }, "variables.$PIN"],
	[
		"101 variables",
		{ variables: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`v${i}`, i])) },
		"variables",
	],
	["33 kB of variables", { variables: { a: "ü".repeat(17_000) } }, "variables"],
	["a telephone number that is none", { caller: { phone_number: "555" } }, "caller.phone_number"],
	["an unknown member of the caller", { caller: { name: "Ada" } }, "caller.name"],
	["59 seconds", { ttl_seconds: 59 }, "ttl_seconds"],
	["more than four hours", { ttl_seconds: 14_401 }, "ttl_seconds"],
	["half a second", { ttl_seconds: 60.5 }, "ttl_seconds"],
	["a call that is no id", { call_id: "1" }, "call_id"],
	["a version", { agent_version: 1 }, "agent_version"],
])("a session with %s is refused by the name of the field", async (_, body, path) => {
	const { open } = await settle();
	const answer = await open(body);
	expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_FAILED"]);
	expect(answer.body.error.fields?.[0]?.path).toBe(path);
	expect(answer.body.error.fields?.[0]?.message).not.toMatch(/regex|pattern|invalid/i);
});

test("names of inherited members are variables like any other", async () => {
	const { open } = await settle({ greeting: "{{constructor}} {{hasOwnProperty}}" });
	const { body } = await open({ variables: { constructor: "a", hasOwnProperty: "b" } });
	expect(body.greeting).toBe("a b");
	const proto = await open('{"variables": {"__proto__": "b"}}');
	expect(proto.status).toBe(422);
});

test("a session is removed when its time was over long ago", async () => {
	const { id, agent, call, path, open } = await settle();
	const { body } = await open();
	const old = await issueSessionToken(env.DB, id, agent.id, { expiresAt: "2020-01-01T00:00:00.000Z" });
	await removeOldSessions(env as unknown as Env, new Date());
	expect((await call("GET", `${path}/${old.id}`)).status).toBe(404);
	expect((await call("GET", `${path}/${body.session_id}`)).status).toBe(200);
});

test("an inactive agent opens no session, and a deleted one is not found", async () => {
	const { open, update, call, agent, key } = await settle();
	await update({ status: "inactive" });
	expect((await open()).body.error).toMatchObject({ code: "AGENT_INACTIVE" });
	await call("DELETE", `/v1/agents/${agent.id}`);
	expect((await open({}, key)).status).toBe(404);
});

test("a token opens no session, reads none and ends only its own", async () => {
	const { open, path } = await settle();
	const [{ body: first }, { body: second }] = [await open(), await open()];
	const token = first.token ?? "";
	expect((await open({}, token)).body.error.message).toContain("Use an agent key");
	for (const given of [path, `${path}/${first.session_id}`])
		expect((await request(token, "GET", given)).status).toBe(403);
	expect((await request(token, "DELETE", `${path}/${second.session_id}`)).status).toBe(403);
	expect((await request(token, "DELETE", `${path}/${first.session_id}`)).status).toBe(204);
	const after = await request(token, "DELETE", `${path}/${first.session_id}`);
	expect([after.status, after.body.error.code]).toEqual([401, "AUTH_REQUIRED"]);
	expect((await request(second.token ?? "", "DELETE", `${path}/${second.session_id}`)).status).toBe(204);
});

test("an agent key neither lists nor reads sessions, since their variables are personal data", async () => {
	const { open, path, agentKey } = await settle();
	const { body } = await open({ variables: { name: "Ada" } });
	expect((await request(agentKey, "GET", path)).status).toBe(403);
	expect((await request(agentKey, "GET", `${path}/${body.session_id}`)).status).toBe(403);
	expect((await request(agentKey, "DELETE", `${path}/${body.session_id}`)).status).toBe(204);
	expect((await request(agentKey, "DELETE", `${path}/${body.session_id}`)).status).toBe(404);
});

test("a session ends with the key that opened it, and with its agent", async () => {
	const { open, keyId, path, call, agent, id } = await settle();
	const { key: other } = await issueAgentKey(env.DB, id, agent.id);
	const ofKey = (await open()).body;
	const ofAgent = (await open({}, other)).body;
	await db.update(apiKeys).set({ deletedAt: new Date().toISOString() }).where(eq(apiKeys.id, keyId));
	expect((await request(ofKey.token ?? "", "DELETE", `${path}/${ofKey.session_id}`)).status).toBe(401);
	await call("DELETE", `/v1/agents/${agent.id}`);
	expect((await request(ofAgent.token ?? "", "DELETE", `${path}/${ofAgent.session_id}`)).status).toBe(401);
	const { body } = await call<RuntimeSession>("GET", `${path}/${ofAgent.session_id}`);
	expect(body.status).toBe("ended");
	expect(await db.select().from(apiKeys).where(eq(apiKeys.agentId, agent.id))).toMatchObject([
		{ deletedAt: expect.any(String) },
		{ deletedAt: expect.any(String) },
	]);
});

test("a session ends when the key that opened it expires", async () => {
	const { id, agent, open, path } = await settle();
	const expiresAt = new Date(Date.now() + 400).toISOString();
	const { key } = await issueAgentKey(env.DB, id, agent.id, { expiresAt });
	const { body } = await open({}, key);
	await new Promise((elapsed) => setTimeout(elapsed, 450));
	expect((await request(body.token ?? "", "DELETE", `${path}/${body.session_id}`)).status).toBe(401);
});

test("a repeated opening makes one session and does not show its token again", async () => {
	const { open, path, call } = await settle();
	const headers = { "idempotency-key": crypto.randomUUID() };
	const first = await open({}, undefined, headers);
	const second = await open({}, undefined, headers);
	expect(second.body).toMatchObject({ session_id: first.body.session_id, token: null });
	const list = await call<z.infer<typeof RuntimeSessionPage>>("GET", path);
	expect(list.body.items).toHaveLength(1);
});

test("an Idempotency-Key of one agent key tells another nothing", async () => {
	const { id, agent, open } = await settle();
	const { key } = await issueAgentKey(env.DB, id, agent.id);
	const headers = { "idempotency-key": "the-same" };
	const first = await open({ variables: { a: 1 } }, undefined, headers);
	const second = await open({ variables: { a: 1 } }, key, headers);
	expect(second.body.session_id).not.toBe(first.body.session_id);
	expect(second.body.token).not.toBeNull();
});

test("the token of a session whose time is over is refused with its end", async () => {
	const { id, agent, path } = await settle();
	const expiresAt = "2026-01-01T00:00:00.000Z";
	const { id: sessionId, token } = await issueSessionToken(env.DB, id, agent.id, { expiresAt });
	const { status, body } = await request(token, "DELETE", `${path}/${sessionId}`);
	expect([status, body.error.code]).toEqual([401, "AUTH_REQUIRED"]);
	expect(body.error.message).toBe(`This session ended at ${expiresAt}. Open a new one.`);
});

test("one Idempotency-Key that is raced opens one session", async () => {
	const { open, path, call } = await settle();
	const headers = { "idempotency-key": crypto.randomUUID() };
	const answers = await Promise.all(Array.from({ length: 8 }, () => open({}, undefined, headers)));
	const tokens = answers.flatMap(({ status, body }) => (status === 201 && body.token ? [body.token] : []));
	expect(tokens).toHaveLength(1);
	const others = answers.filter(({ body }) => body.token === undefined).map(({ body }) => body.error.code);
	expect(others.every((code) => code === "IDEMPOTENCY_IN_PROGRESS")).toBe(true);
	const list = await call<z.infer<typeof RuntimeSessionPage>>("GET", path);
	expect(list.body.items).toHaveLength(1);
});

test("no session is open after its agent was deleted, however the two requests meet", async () => {
	const { open, call, agent, key, path } = await settle();
	const deletion = call("DELETE", `/v1/agents/${agent.id}`);
	const answers = await Promise.all(Array.from({ length: 8 }, () => open({}, key)));
	expect((await deletion).status).toBe(204);
	for (const { status } of answers) expect([201, 404]).toContain(status);
	const list = await call<z.infer<typeof RuntimeSessionPage>>("GET", path);
	expect(list.body.items.filter(({ status }) => status === "open")).toEqual([]);
});

test("sessions of another agent and organisation are not found", async () => {
	const own = await settle();
	const other = await settle();
	const { body } = await other.open();
	const { key } = await issueKey(env.DB, own.id);
	for (const path of [own.path, other.path])
		expect((await request(key, "DELETE", `${path}/${body.session_id}`)).status).toBe(404);
	expect((await own.call("GET", other.path)).status).toBe(404);
});

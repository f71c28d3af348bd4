import { env } from "cloudflare:workers";
import { type Agent, type AgentListItem, CreateAgent, UpdateAgent } from "@parley/contracts/agents/agents";
import { breakEachWrite } from "@parley/testing/broken-batch";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import { publishedTool } from "../../test/published-tool.ts";
import { createAgent, deleteAgent, updateAgent } from "./agents.service.ts";

const UNKNOWN = "01938f5e-7c00-7000-8000-000000000001";

test("an agent created with only a name has every default", async () => {
	const client = await createClient();
	const { status, body } = await client.call<Agent>("POST", "/v1/agents", { name: "Reception" });
	expect(status).toBe(201);
	expect(body).toEqual({
		id: expect.any(String),
		organisation_id: client.id,
		name: "Reception",
		...{ description: "", system_prompt: "", greeting: "", inbound_greeting: null, outbound_greeting: null },
		...{ language: "en", region: "any", inbound_enabled: true, outbound_enabled: true, status: "active" },
		models: {
			...{ stt: null, llm: null, tts: null, tts_voice: null },
			...{ stt_kwargs: {}, llm_kwargs: {}, tts_kwargs: {} },
		},
		...{ template_defaults: {}, tool_refs: [], mcp_refs: [], version_number: 1, revision: 1 },
		created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
		updated_at: body.created_at,
	});
	expect((await client.call("GET", `/v1/agents/${body.id}`)).body).toEqual(body);
});

test("an update keeps omitted fields and merges `models` member by member", async () => {
	const client = await createClient();
	const models = { stt: "speech-a", llm: "language-a", llm_kwargs: { temperature: 0.2 } };
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", {
		name: "A",
		greeting: "Hello",
		models,
	});
	const change = { description: "d", models: { llm: "language-b" } };
	const { status, body } = await client.call<Agent>("PATCH", `/v1/agents/${agent.id}`, change);
	expect(status).toBe(200);
	expect(body).toEqual({
		...agent,
		description: "d",
		models: { ...agent.models, llm: "language-b" },
		...{ version_number: 2, revision: 2, updated_at: body.updated_at },
	});
});

test("a replacement sets omitted fields to their defaults", async () => {
	const client = await createClient();
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", {
		...{ name: "A", greeting: "Hello", status: "inactive" },
	});
	const { body } = await client.call<Agent>("PUT", `/v1/agents/${agent.id}`, { name: "A", language: "fr" });
	expect(body).toMatchObject({
		name: "A",
		greeting: "",
		language: "fr",
		status: "active",
		version_number: 2,
	});
});

test("changing only the status increases the revision and creates no version", async () => {
	const client = await createClient();
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", { name: "A" });
	const { body } = await client.call<Agent>("PATCH", `/v1/agents/${agent.id}`, { status: "inactive" });
	expect(body).toMatchObject({ status: "inactive", version_number: 1, revision: 2 });
});

test("an update without changes writes nothing", async () => {
	const client = await createClient();
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", { name: "A" });
	const { body } = await client.call<Agent>("PATCH", `/v1/agents/${agent.id}`, {
		name: "A",
		status: "active",
	});
	expect(body).toEqual(agent);
});

test("a deleted agent is not found and its name is free", async () => {
	const client = await createClient();
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", { name: "A" });
	expect((await client.call("DELETE", `/v1/agents/${agent.id}`)).status).toBe(204);
	for (const method of ["GET", "DELETE"])
		expect((await client.call(method, `/v1/agents/${agent.id}`)).status).toBe(404);
	expect((await client.call("PATCH", `/v1/agents/${agent.id}`, {})).status).toBe(404);
	expect((await client.call("POST", "/v1/agents", { name: "A" })).status).toBe(201);
});

test("the name of a live agent is rejected by every operation that sets a name", async () => {
	const client = await createClient();
	await client.call("POST", "/v1/agents", { name: "A" });
	const { body: other } = await client.call<Agent>("POST", "/v1/agents", { name: "B" });
	const tries = [
		client.call("POST", "/v1/agents", { name: "A" }),
		client.call("PATCH", `/v1/agents/${other.id}`, { name: "A" }),
		client.call("PUT", `/v1/agents/${other.id}`, { name: "A" }),
		client.call("POST", `/v1/agents/${other.id}/duplicate`, { name: "A" }),
		client.call("POST", "/v1/agents/import", { name: "A" }),
		client.call("POST", "/v1/agents/import?dry_run=true", { name: "A" }),
	];
	for (const { status, body } of await Promise.all(tries)) {
		expect(status).toBe(409);
		expect(body.error.code).toBe("AGENT_NAME_CONFLICT");
	}
	expect((await client.call<Agent>("GET", `/v1/agents/${other.id}`)).body).toEqual(other);
});

test("exactly one of many concurrent creations with the same name succeeds", async () => {
	const client = await createClient();
	const tries = Array.from({ length: 10 }, () => client.call("POST", "/v1/agents", { name: "A" }));
	const statuses = (await Promise.all(tries)).map(({ status }) => status);
	expect(statuses.filter((status) => status === 201)).toHaveLength(1);
	expect(statuses.filter((status) => status === 409)).toHaveLength(9);
	expect((await client.call<AgentListItem[]>("GET", "/v1/agents")).body).toHaveLength(1);
});

test("each concurrent change is either applied completely or rejected", async () => {
	const client = await createClient();
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", { name: "A" });
	const tries = Array.from({ length: 8 }, (_, n) =>
		client.call("PATCH", `/v1/agents/${agent.id}`, { description: `d${n}` }),
	);
	const answers = await Promise.all(tries);
	const made = answers.filter(({ status }) => status === 200).length;
	for (const { status, body } of answers)
		if (status !== 200) expect([status, body.error.code]).toEqual([409, "REVISION_CONFLICT"]);
	const { body } = await client.call<Agent>("GET", `/v1/agents/${agent.id}`);
	expect(body).toMatchObject({ revision: 1 + made, version_number: 1 + made });
});

test("a list is ordered by name, paged and filtered by exact names", async () => {
	const client = await createClient();
	for (const name of ["b", "a", "C", "d"])
		await client.call("POST", "/v1/agents", { name, system_prompt: "x" });
	const names = async (query: string) => {
		const { body } = await client.call<AgentListItem[]>("GET", `/v1/agents${query}`);
		return body.map(({ name }) => name);
	};
	expect(await names("")).toEqual(["C", "a", "b", "d"]);
	expect(await names("?limit=2&offset=1")).toEqual(["a", "b"]);
	expect(await names("?name=d&name=C&name=c")).toEqual(["C", "d"]);
	expect(await names(`?name=a&name=${"x".repeat(255)}`)).toEqual(["a"]);
	expect((await client.call("GET", `/v1/agents?name=${"x".repeat(256)}`)).status).toBe(422);
	expect((await client.call("GET", "/v1/agents?limit=201")).body.error.fields).toMatchObject([
		{ path: "query.limit" },
	]);
	const { body } = await client.call<AgentListItem[]>("GET", "/v1/agents?name=a");
	expect(body[0]).toMatchObject({
		outbound_enabled: true,
		inbound_enabled: true,
		region: "any",
		description: "",
	});
	expect(body[0]).not.toHaveProperty("system_prompt");
});

test("a duplicate has the same configuration under its own name", async () => {
	const client = await createClient();
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", { name: "A", greeting: "Hello" });
	const { status, body } = await client.call<Agent>("POST", `/v1/agents/${agent.id}/duplicate`, {
		name: "B",
	});
	expect(status).toBe(201);
	expect(body).toEqual({
		...agent,
		...{ id: body.id, name: "B", created_at: body.created_at, updated_at: body.updated_at },
	});
	expect(body.id).not.toBe(agent.id);
});

test("a write with an outdated If-Match is rejected", async () => {
	const client = await createClient();
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", { name: "A" });
	const path = `/v1/agents/${agent.id}`;
	const tag = (await client.call("GET", path)).headers.get("etag") ?? "";
	expect((await client.call("PATCH", path, { greeting: "1" }, { "if-match": tag })).status).toBe(200);
	const refused = [
		await client.call("PATCH", path, { greeting: "2" }, { "if-match": tag }),
		await client.call("PUT", path, { name: "A" }, { "if-match": tag }),
		await client.call("DELETE", path, undefined, { "if-match": tag }),
	];
	for (const { status, body } of refused) {
		expect([status, body.error.code]).toEqual([412, "PRECONDITION_FAILED"]);
	}
});

test.each([
	[{}, "name"],
	[{ name: "" }, "name"],
	[{ name: "A", colour: "red" }, "colour"],
	[{ name: "A", models: { llm: "x", vision: "y" } }, "models.vision"],
	[{ name: "A", language: "a-language-tag" }, "language"],
	[{ name: "A", region: "mars" }, "region"],
	[{ name: "A", tool_refs: Array(129).fill({}) }, "tool_refs"],
	[{ name: "A", template_defaults: { a: {} } }, "template_defaults.a"],
	[{ name: "A", greeting: "Call {{$DESK}}" }, "greeting"],
])("an invalid body is rejected with the wrong field named: %j", async (body, path) => {
	const client = await createClient();
	const answer = await client.call("POST", "/v1/agents", body);
	expect([answer.status, answer.body.error.code]).toEqual([422, "VALIDATION_FAILED"]);
	expect(answer.body.error.fields?.map((field) => field.path)).toContain(path);
	expect((await client.call<AgentListItem[]>("GET", "/v1/agents")).body).toEqual([]);
});

test("a reserved path is not taken for an agent's id", async () => {
	const client = await createClient();
	for (const family of ["tools", "mcp-servers", "secrets", "audit-log"]) {
		for (const path of [`${family}/config/none`, `${family}/calls/${UNKNOWN}`]) {
			const { status, body } = await client.call("GET", `/v1/agents/${path}`);
			expect([status, body.error.code], path).toEqual([404, "RESOURCE_NOT_FOUND"]);
		}
	}
	const { body } = await client.call("GET", "/v1/agents/nobody");
	expect(body.error).toMatchObject({ code: "VALIDATION_FAILED", fields: [{ path: "path.agent_id" }] });
	expect((await client.call("GET", `/v1/agents/${UNKNOWN}`)).status).toBe(404);
});

test("a write that fails at any statement leaves nothing behind", async () => {
	const client = await createClient();
	const toolId = await publishedTool(client.id, { parameters: { a: { type: "string" } } });
	const ref = (attachment_id: string) => ({ attachment_id, tool_id: toolId, version: 1 });
	const attached = { name: "B", tool_refs: [ref(crypto.randomUUID())] };
	const places = await breakEachWrite(env.DB, client.id, (db) =>
		createAgent(client.ctx(db), CreateAgent.parse(attached)),
	);
	expect(places).toBeGreaterThan(5);
	const { body } = await client.call<AgentListItem[]>("GET", "/v1/agents?name=B");
	const id = body[0]!.id;
	const change = UpdateAgent.parse({ greeting: "g", tool_refs: [ref(crypto.randomUUID())] });
	expect(
		await breakEachWrite(env.DB, client.id, (db) => updateAgent(client.ctx(db), id, change)),
	).toBeGreaterThan(6);
	expect(await breakEachWrite(env.DB, client.id, (db) => deleteAgent(client.ctx(db), id))).toBeGreaterThan(4);
});

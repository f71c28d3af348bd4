import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents/agents";
import type { VaultReference } from "@parley/contracts/agents/secrets";
import type { Tool } from "@parley/contracts/agents/tools";
import { vaultRotationLocks } from "@parley/db/agents/vault";
import { openDatabase } from "@parley/db/client";
import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";
import { createEndpoint } from "../../test/endpoint.ts";
import { createRequest, createTool, putSecret, runTool } from "../../test/tools.ts";
import { updateAgent } from "../agents/agents.service.ts";
import type { Ctx } from "../context.ts";
import { CURATED_TOOLS } from "../tools/curated-tools.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { agentIsUnlocked } from "./rotation-locks.ts";

const bearer = { auth: { type: "bearer", secret_name: "TOKEN" } };

const referencesOf = async (client: Client, name = "TOKEN") =>
	(await client.call<VaultReference[]>("GET", `/v1/agents/secrets/${name}/references`)).body;
const remove = (client: Client, name = "TOKEN") => client.call("DELETE", `/v1/agents/secrets/${name}`);

async function createAgent(client: Client, body: object = {}): Promise<Agent> {
	const answer = await client.call<Agent>("POST", "/v1/agents", { name: crypto.randomUUID(), ...body });
	expect(answer.body.error, JSON.stringify(answer.body)).toBeUndefined();
	return answer.body;
}

/** Creates a tool whose version 1 uses TOKEN. */
async function publishedTool(client: Client): Promise<Tool> {
	const tool = await createRequest(client, { url: createEndpoint().url("echo"), ...bearer });
	await runTool(client, tool);
	const { status } = await client.call("POST", `/v1/agents/tools/${tool.id}/publish`);
	expect(status).toBe(200);
	return tool;
}

const attachment = (tool_id: string) => ({
	tool_refs: [{ attachment_id: crypto.randomUUID(), tool_id, version: 1 }],
});

async function withToken(): Promise<Client> {
	const client = await createClient();
	await putSecret(client, "TOKEN", "value-1");
	return client;
}

describe("the uses of an entry", () => {
	test("are listed with holder, location and state, and a draft blocks the deletion", async () => {
		const client = await withToken();
		expect(await referencesOf(client)).toEqual([]);
		const headers = [{ name: "X-Key", value: "k {{ $TOKEN }}" }];
		const tool = await createRequest(
			client,
			{ url: "https://a.example/?q={{$TOKEN}}", headers },
			{ argument_defaults: { key: "{{$TOKEN}}" } },
		);
		const place = { resource_type: "tool", resource_id: tool.id, resource_name: tool.name };
		const draft = { ...place, classification: "draft", blocks_delete: true };
		expect(await referencesOf(client)).toEqual([
			{ ...draft, location: "argument_defaults.key" },
			{ ...draft, location: "config.headers.0.value" },
			{ ...draft, location: "config.url" },
		]);
		const { status, body } = await remove(client);
		expect([status, body.error.code]).toEqual([409, "SECRET_IN_USE"]);
		expect(body.error.blockers).toContainEqual({ ...place, location: "config.url" });
		await client.call("DELETE", `/v1/agents/tools/${tool.id}`);
		expect((await remove(client)).status).toBe(204);
	});

	test("follow the changes of a tool", async () => {
		const client = await withToken();
		const tool = await createRequest(client, { url: "https://a.example/", ...bearer });
		const [reference] = await referencesOf(client);
		expect(reference?.location).toBe("config.auth.secret_name");
		const config = { type: "api_request", url: "https://a.example/" };
		await client.call("PATCH", `/v1/agents/tools/${tool.id}`, { config });
		expect(await referencesOf(client)).toEqual([]);
	});

	test("include the declared secrets of code", async () => {
		const client = await withToken();
		await createTool(client, { declared_secrets: ["OTHER", "TOKEN"] });
		expect((await referencesOf(client))[0]?.location).toBe("declared_secrets.1");
	});

	test("distinguish an agent's current text from earlier versions", async () => {
		const client = await withToken();
		const agent = await createAgent(client, { greeting: "{{$TOKEN}}" });
		const version = { resource_type: "agent_version", location: "greeting", classification: "historical" };
		expect(await referencesOf(client)).toMatchObject([
			{ resource_type: "agent", resource_name: agent.name, classification: "active", blocks_delete: true },
			{ ...version, resource_name: agent.name, blocks_delete: false },
		]);
		await client.call("PATCH", `/v1/agents/${agent.id}`, { status: "inactive" });
		expect((await referencesOf(client))[0]).toMatchObject({ classification: "draft", blocks_delete: true });
		await client.call("PATCH", `/v1/agents/${agent.id}`, { greeting: "" });
		expect(await referencesOf(client)).toMatchObject([version]);
		expect((await remove(client)).status).toBe(204);
	});

	test("include a published version while a live agent is pinned to it", async () => {
		const client = await withToken();
		const tool = await publishedTool(client);
		const config = { type: "api_request", url: "https://a.example/" };
		await client.call("PATCH", `/v1/agents/tools/${tool.id}`, { config });
		const version = { resource_type: "tool_version", resource_name: tool.name };
		expect(await referencesOf(client)).toMatchObject([{ ...version, classification: "historical" }]);
		const agent = await createAgent(client, attachment(tool.id));
		expect(await referencesOf(client)).toMatchObject([{ ...version, classification: "active" }]);
		expect((await remove(client)).body.error.blockers).toMatchObject([version]);
		await client.call("DELETE", `/v1/agents/${agent.id}`);
		expect((await remove(client)).status).toBe(204);
	});

	test("exclude versions of a deleted tool, even if an inactive agent keeps its pin", async () => {
		const client = await withToken();
		const tool = await publishedTool(client);
		await createAgent(client, { ...attachment(tool.id), status: "inactive" });
		expect((await remove(client)).status).toBe(409);
		await client.call("DELETE", `/v1/agents/tools/${tool.id}`);
		expect(await referencesOf(client)).toMatchObject([
			{ classification: "historical", blocks_delete: false },
		]);
		expect((await remove(client)).status).toBe(204);
	});

	test("include the secrets of the curated SMS tool", async () => {
		const client = await createClient();
		await putSecret(client, "SMS_AUTH_TOKEN", "value-1");
		const sms = CURATED_TOOLS.find(({ toolType }) => toolType === "send_sms")!;
		expect(await referencesOf(client, "SMS_AUTH_TOKEN")).toEqual([]);
		await createAgent(client, attachment(sms.id));
		const place = { resource_type: "tool_version", resource_id: sms.versionId, resource_name: "send_sms" };
		expect(await referencesOf(client, "SMS_AUTH_TOKEN")).toEqual([
			{ ...place, location: "config.type", classification: "active", blocks_delete: true },
		]);
		expect((await remove(client, "SMS_AUTH_TOKEN")).status).toBe(409);
	});

	test("never include another organisation's use of the same name", async () => {
		const [one, other] = [await withToken(), await withToken()];
		await createAgent(other, { greeting: "{{$TOKEN}}" });
		expect(await referencesOf(one)).toEqual([]);
		expect((await remove(one)).status).toBe(204);
	});

	test("exclude each other with a concurrent deletion", async () => {
		const client = await createClient();
		for (let round = 0; round < 10; round++) {
			const name = `TOKEN_${round}`;
			await putSecret(client, name, "value-1");
			const [made, removed] = await Promise.all([
				client.call("POST", "/v1/agents", { name, greeting: `{{$${name}}}` }),
				remove(client, name),
			]);
			expect([made.status, removed.status].filter((status) => status < 400)).toHaveLength(1);
		}
	});
});

describe("a rotation locks", () => {
	async function isLocked(ctx: Ctx, agentId: string): Promise<boolean> {
		const free = sql<number>`${agentIsUnlocked(ctx, agentId)}`;
		const [row] = await ctx.db.select({ free }).from(sql`(select 1)`);
		return row?.free === 0;
	}

	/** Returns the agents that a rotation locks, by stopping one before it releases its locks. */
	async function lockedBy(client: Client): Promise<string[]> {
		await rotateSecret(withoutRelease(client), "TOKEN", { value: "value-2" });
		const rows = await openDatabase(env.DB)
			.select()
			.from(vaultRotationLocks)
			.where(eq(vaultRotationLocks.organisationId, client.id));
		return rows.map(({ agentId }) => agentId).toSorted();
	}

	/** Returns a context whose deletes are lost, as after a crash right after the rotation's batch. */
	function withoutRelease(client: Client): ReturnType<Client["ctx"]> {
		const ctx = client.ctx();
		const lost = { where: () => ({ run: () => Promise.reject(new Error("crashed")) }) };
		const db = new Proxy(ctx.db, {
			get: (target, key) => (key === "delete" ? () => lost : Reflect.get(target, key, target)),
		});
		return { ...ctx, db, defer: (work) => void work.catch(() => undefined) };
	}

	test("the active inbound agents that use the entry in their text or through a tool", async () => {
		const client = await withToken();
		const tool = await publishedTool(client);
		const text = { greeting: "{{$TOKEN}}" };
		const locked = [await createAgent(client, text), await createAgent(client, attachment(tool.id))];
		await createAgent(client);
		await createAgent(client, { ...text, status: "inactive" });
		await createAgent(client, { ...text, inbound_enabled: false });
		const deleted = await createAgent(client, text);
		await client.call("DELETE", `/v1/agents/${deleted.id}`);
		expect(await lockedBy(client)).toEqual(locked.map(({ id }) => id).toSorted());
	});

	test("the agents that have attached the curated SMS tool, for its secrets", async () => {
		const client = await createClient();
		await putSecret(client, "SMS_ACCOUNT_ID", "value-1");
		const sms = CURATED_TOOLS.find(({ toolType }) => toolType === "send_sms")!;
		const agent = await createAgent(client, attachment(sms.id));
		await rotateSecret(withoutRelease(client), "SMS_ACCOUNT_ID", { value: "value-2" });
		expect(await isLocked(client.ctx(), agent.id)).toBe(true);
	});

	test("an agent against every write until it ends", async () => {
		const client = await withToken();
		const agent = await createAgent(client, { greeting: "{{$TOKEN}}" });
		await lockedBy(client);
		for (const [method, body] of [
			["PATCH", { description: "x" }],
			["PATCH", { status: "inactive" }],
			["PUT", { name: agent.name }],
			["DELETE", undefined],
		] as const) {
			const answer = await client.call(method, `/v1/agents/${agent.id}`, body);
			expect([answer.status, answer.body.error.code, answer.body.error.retryable]).toEqual([
				...[409, "AGENT_LOCKED", true],
			]);
		}
		expect((await client.call("GET", `/v1/agents/${agent.id}`)).body).toEqual(agent);
	});

	test("nothing after it has ended", async () => {
		const client = await withToken();
		const agent = await createAgent(client, { greeting: "{{$TOKEN}}" });
		await client.call("PATCH", "/v1/agents/secrets/TOKEN", { value: "value-2" });
		expect(await isLocked(client.ctx(), agent.id)).toBe(false);
		expect((await client.call("PATCH", `/v1/agents/${agent.id}`, { description: "x" })).status).toBe(200);
	});

	test("for at most 30 seconds if it crashes, and the next rotation deletes expired locks", async () => {
		const client = await withToken();
		const agent = await createAgent(client, { greeting: "{{$TOKEN}}" });
		await lockedBy(client);
		const at = (ms: number) => ({ ...client.ctx(), clock: () => new Date(Date.now() + ms) });
		expect(await isLocked(at(25_000), agent.id)).toBe(true);
		await expect(updateAgent(at(25_000), agent.id, { description: "x" })).rejects.toMatchObject({
			code: "AGENT_LOCKED",
		});
		expect(await isLocked(at(30_001), agent.id)).toBe(false);
		expect(await updateAgent(at(30_001), agent.id, { description: "x" })).toMatchObject({ description: "x" });
		await rotateSecret(at(30_002), "TOKEN", { value: "value-3" });
		const left = await openDatabase(env.DB)
			.select()
			.from(vaultRotationLocks)
			.where(eq(vaultRotationLocks.organisationId, client.id));
		expect(left).toEqual([]);
	});

	test("agents independently: its end does not release another rotation's locks", async () => {
		const client = await withToken();
		const agent = await createAgent(client, { greeting: "{{$TOKEN}}" });
		await lockedBy(client);
		await rotateSecret(client.ctx(), "TOKEN", { value: "value-3" });
		expect(await isLocked(client.ctx(), agent.id)).toBe(true);
	});
});

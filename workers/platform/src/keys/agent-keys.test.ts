import { env } from "cloudflare:workers";
import type { CreatedKey, Key } from "@parley/contracts/platform/keys";
import { agentVersions } from "@parley/db/agents/agent-versions";
import { agents } from "@parley/db/agents/agents";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { apiKeys } from "@parley/db/platform/api-keys";
import { issueKey } from "@parley/testing/organisation";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";

const db = openDatabase(env.DB);

/** Inserts an agent with two versions. */
async function insertAgent(organisationId: string, deletedAt: string | null = null): Promise<string> {
	const id = newId();
	const now = new Date().toISOString();
	const config = {} as never;
	await db.insert(agents).values({
		...{ organisationId, id, name: id, status: "active", inboundEnabled: true, config, configHash: "" },
		...{ versionNumber: 2, revision: 2, createdBy: "test", createdAt: now, updatedAt: now, deletedAt },
	});
	for (const versionNumber of [1, 2])
		await db.insert(agentVersions).values({
			...{ organisationId, agentId: id, versionNumber, id: newId(), config, configHash: "" },
			...{ changedFields: [], source: "api", actor: "test", createdAt: now },
		});
	return id;
}

async function settle() {
	const client = await createClient();
	const agent_id = await insertAgent(client.id);
	const create = (body: object, key?: string) =>
		client.call<CreatedKey & { error: { code: string; fields?: { path: string; message: string }[] } }>(
			"POST",
			"/v1/keys",
			{ label: "Voice", family: "agent", ...body },
			key === undefined ? {} : { key },
		);
	return { ...client, agent_id, create };
}

test("an agent key is bound to its agent and holds runtime:use alone", async () => {
	const { agent_id, create, call } = await settle();
	const { status, body } = await create({ agent_id, agent_version: 1 });
	expect(status).toBe(201);
	expect(body.key).toMatch(/^parley_ag_[0-9A-Za-z]{38}$/);
	expect(body).toMatchObject({ family: "agent", prefix: "parley_ag_", agent_id, agent_version: 1 });
	expect(body.scopes).toEqual(["runtime:use"]);
	const { body: unpinned } = await create({ agent_id, scopes: ["runtime:use"] });
	expect(unpinned).toMatchObject({ agent_id, agent_version: null, scopes: ["runtime:use"] });
	const list = await call<Key[]>("GET", "/v1/keys");
	expect(list.body.find(({ id }) => id === body.id)).toMatchObject({ agent_id, agent_version: 1 });
	expect(list.body.filter(({ family }) => family !== "agent").map((key) => key.agent_id)).toEqual([
		null,
		null,
	]);
});

test.each<[string, object, string, string]>([
	["no agent", {}, "agent_id", "Is required for the family agent"],
	["an agent that is no id", { agent_id: "front-desk" }, "agent_id", "Must be a UUID"],
	["an agent that does not exist", { agent_id: crypto.randomUUID() }, "agent_id", "Agent not found"],
	["version 0", { agent_version: 0 }, "agent_version", "at least 1"],
	["a version that does not exist", { agent_version: 3 }, "agent_version", "The agent has no version 3"],
	["a version as text", { agent_version: "1" }, "agent_version", "whole number"],
	["another scope", { scopes: ["tools:run"] }, "scopes", "runtime:use alone"],
	["no scope", { scopes: [] }, "scopes", "runtime:use alone"],
	["the family consumer with an agent", { family: "consumer" }, "agent_id", "only for the family agent"],
])("an agent key with %s is refused by the name of the field", async (name, body, path, message) => {
	const { agent_id, create } = await settle();
	const answer = await create(name === "no agent" ? body : { agent_id, ...body });
	expect(answer).toMatchObject({ status: 422, body: { error: { code: "VALIDATION_FAILED" } } });
	expect(answer.body.error.fields).toMatchObject([{ path, message: expect.stringContaining(message) }]);
});

test("an agent that is deleted or of another organisation is not found", async () => {
	const { id, create } = await settle();
	const { agent_id: foreign } = await settle();
	const deleted = await insertAgent(id, new Date().toISOString());
	for (const agent_id of [foreign, deleted])
		expect((await create({ agent_id })).body.error.fields).toEqual([
			{ path: "agent_id", message: `Agent not found: ${agent_id}` },
		]);
});

test("a key without runtime:use makes no agent key", async () => {
	const { id, agent_id, create } = await settle();
	const { key } = await issueKey(env.DB, id, { scopes: ["keys:manage", "agents:write"] });
	expect(await create({ agent_id }, key)).toMatchObject({
		status: 403,
		body: { error: { code: "FORBIDDEN" } },
	});
});

test("an agent key opens no console session and says nothing of the account", async () => {
	const { agent_id, create, call } = await settle();
	const key = (await create({ agent_id })).body.key!;
	expect(await call("POST", "/v1/console/session", { key })).toMatchObject({
		status: 403,
		body: { error: { message: "Agent keys cannot sign in to the console" } },
	});
	expect(await call("GET", "/v1/me", undefined, { key })).toMatchObject({ status: 403 });
});

test("a widened row of an agent key gives it no further scope, and one without its agent is no key", async () => {
	const { agent_id, create, call } = await settle();
	const { id, key } = (await create({ agent_id })).body;
	await db
		.update(apiKeys)
		.set({ scopes: ["runtime:use", "keys:manage"] })
		.where(eq(apiKeys.id, id));
	expect(await call("GET", "/v1/keys", undefined, { key: key! })).toMatchObject({ status: 403 });
	const second = (await create({ agent_id })).body;
	await db.update(apiKeys).set({ agentId: null }).where(eq(apiKeys.id, second.id));
	expect(await call("GET", "/v1/keys", undefined, { key: second.key! })).toMatchObject({ status: 401 });
});

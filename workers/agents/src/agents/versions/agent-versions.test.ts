import type { Agent, AgentVersion, AgentVersionPage } from "@parley/contracts/agents/agents";
import { expect, test } from "vitest";
import type { z } from "zod";
import { createClient } from "../../../test/client.ts";
import { deleteTool, publishedTool } from "../../../test/published-tool.ts";
import { hashConfig } from "../agent-config.ts";

type Page = z.infer<typeof AgentVersionPage>;

async function changedAgent() {
	const client = await createClient();
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", { name: "A", greeting: "one" });
	const path = `/v1/agents/${agent.id}`;
	await client.call("PATCH", path, { greeting: "two", language: "fr" });
	return { ...client, agent, path };
}

test("each change of the configuration is a version with its author and changed fields, newest first", async () => {
	const { call, path } = await changedAgent();
	await call("PATCH", path, { status: "inactive" });
	await call("PATCH", path, { greeting: "two" });
	const { body } = await call<Page>("GET", `${path}/versions`);
	expect(body.meta).toEqual({ page: 1, page_size: 20, total: 2, pages: 1 });
	expect(body.items).toEqual([
		{
			...{ version_number: 2, changed_fields: ["greeting", "language"], source: "api" },
			config_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
			actor: expect.stringMatching(/^api_key:/),
			created_at: expect.any(String),
		},
		expect.objectContaining({ version_number: 1, changed_fields: [], source: "api" }),
	]);
	expect((await call<Page>("GET", `${path}/versions?page=2&page_size=1`)).body.items).toEqual([
		body.items[1],
	]);
});

test("a version contains the whole configuration, and its hash covers the export", async () => {
	const { call, path } = await changedAgent();
	const { body: version } = await call<AgentVersion>("GET", `${path}/versions/1`);
	expect(version.config).toMatchObject({ name: "A", greeting: "one", language: "en", tool_refs: [] });
	const { body: config } = await call<Agent>("GET", `${path}/config`);
	const { body: latest } = await call<AgentVersion>("GET", `${path}/versions/2`);
	expect(latest.config).toEqual(config);
	expect(latest.config_hash).toBe(await hashConfig(config));
	expect(version.config_hash).toBe(await hashConfig(version.config));
});

test("an unknown version is not found, and an invalid version number is rejected", async () => {
	const { call, path } = await changedAgent();
	expect((await call("GET", `${path}/versions/3`)).status).toBe(404);
	expect((await call("POST", `${path}/versions/3/restore`)).status).toBe(404);
	for (const number of ["0", "x", "1.5"])
		expect((await call("GET", `${path}/versions/${number}`)).body.error.fields).toMatchObject([
			{ path: "path.version_number" },
		]);
});

test("restoring a version creates a new version and keeps the status", async () => {
	const { call, path } = await changedAgent();
	await call("PATCH", path, { status: "inactive" });
	const { status, body } = await call<Agent>("POST", `${path}/versions/1/restore`);
	expect(status).toBe(200);
	expect(body).toMatchObject({ greeting: "one", language: "en", status: "inactive", version_number: 3 });
	const { body: versions } = await call<Page>("GET", `${path}/versions`);
	expect(versions.items[0]).toMatchObject({ source: "restore", changed_fields: ["greeting", "language"] });
	expect(versions.items[0]?.config_hash).toBe(versions.items[2]?.config_hash);
});

test("restoring the current configuration creates nothing", async () => {
	const { call, path } = await changedAgent();
	const { body: agent } = await call<Agent>("GET", path);
	expect((await call<Agent>("POST", `${path}/versions/2/restore`)).body).toEqual(agent);
});

test("a version with a deleted tool or a name taken by another agent cannot be restored", async () => {
	const client = await createClient();
	const toolId = await publishedTool(client.id, {});
	const tool_refs = [{ attachment_id: crypto.randomUUID(), tool_id: toolId, version: 1 }];
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", { name: "A", tool_refs });
	const path = `/v1/agents/${agent.id}`;
	await client.call("PATCH", path, { tool_refs: [] });
	await deleteTool(toolId);
	const gone = await client.call("POST", `${path}/versions/1/restore`);
	expect(gone.status).toBe(422);
	expect(gone.body.error.fields).toMatchObject([{ path: "tool_refs.0.tool_id" }]);
	await client.call("PATCH", path, { name: "B" });
	await client.call("POST", "/v1/agents", { name: "A" });
	expect((await client.call("POST", `${path}/versions/2/restore`)).body.error.code).toBe(
		"AGENT_NAME_CONFLICT",
	);
	expect((await client.call<Page>("GET", `${path}/versions`)).body.meta.total).toBe(3);
});

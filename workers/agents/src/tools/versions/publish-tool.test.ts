import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents/agents";
import { type PublishResult, ToolVersion, ToolVersionItem } from "@parley/contracts/agents/tools";
import { breakEachWrite } from "@parley/testing/broken-batch";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../../test/client.ts";
import { createEndpoint } from "../../../test/endpoint.ts";
import { createRequest, createTool, getTool, putSecret, refusal, runTool } from "../../../test/tools.ts";
import { CURATED_TOOLS } from "../curated-tools.ts";
import { updateTool } from "../update-tool.ts";
import { publishTool } from "./publish-tool.ts";

const PATH = "/v1/agents/tools";

const publish = (client: Client, { id }: { id: string }) =>
	client.call<PublishResult>("POST", `${PATH}/${id}/publish`);
const versionsOf = async (client: Client, { id }: { id: string }, query = "") =>
	(await client.call<ToolVersionItem[]>("GET", `${PATH}/${id}/versions${query}`)).body;
const versionOf = (client: Client, { id }: { id: string }, number: number | string) =>
	client.call<ToolVersion>("GET", `${PATH}/${id}/versions/${number}`);
const describeTool = (client: Client, { id }: { id: string }, description: string) =>
	client.call("PATCH", `${PATH}/${id}`, { description });

async function endCall(client: Client, body: object = {}) {
	return createTool(client, { tool_type: "end_call", ...body });
}

test("a version keeps its content when the draft changes", async () => {
	const client = await createClient();
	const config = { type: "end_call", prompt: "Bye" };
	const tool = await endCall(client, { name: "end", description: "Ends", config });
	const { status, body } = await publish(client, tool);
	expect(status).toBe(200);
	const checks = { config_valid: { passed: true, detail: null } };
	expect(body).toEqual({ published: true, version_number: 1, checks });
	expect(await getTool(client, tool)).toMatchObject({
		latest_version: 1,
		is_current_version: true,
		revision: 1,
	});
	await client.call("PATCH", `${PATH}/${tool.id}`, { name: "other", description: "changed" });
	const version = (await versionOf(client, tool, 1)).body;
	expect(ToolVersion.parse(version)).toEqual(version);
	expect(version).toMatchObject({
		...{ tool_id: tool.id, version_number: 1, content_hash: tool.content_hash, frozen_deps: [] },
		snapshot_json: {
			...{ name: "end", description: "Ends", tool_type: "end_call", argument_defaults: {} },
			config: { type: "end_call", prompt: "Bye", wait_for_completion: true },
			argument_schema: { type: "object", properties: {}, additionalProperties: false },
		},
	});
	expect(await getTool(client, tool)).toMatchObject({ latest_version: 1, is_current_version: false });
});

test("publishing content that is already published returns the existing version", async () => {
	const client = await createClient();
	const tool = await endCall(client);
	await publish(client, tool);
	expect((await publish(client, tool)).body).toMatchObject({ published: true, version_number: 1 });
	await describeTool(client, tool, "second");
	expect((await publish(client, tool)).body.version_number).toBe(2);
	await describeTool(client, tool, "");
	expect(await getTool(client, tool)).toMatchObject({ is_current_version: true, latest_version: 2 });
	expect((await publish(client, tool)).body.version_number).toBe(1);
	await describeTool(client, tool, "third");
	expect((await publish(client, tool)).body.version_number).toBe(3);
	expect((await versionsOf(client, tool)).map(({ version_number }) => version_number)).toEqual([3, 2, 1]);
});

test("versions are listed newest first, without their snapshots, in pages", async () => {
	const client = await createClient();
	const tool = await endCall(client);
	for (const description of ["1", "2", "3"]) {
		await describeTool(client, tool, description);
		await publish(client, tool);
	}
	const all = await versionsOf(client, tool);
	expect(all.map((item) => ToolVersionItem.parse(item))).toEqual(all);
	expect(await versionsOf(client, tool, "?limit=1&offset=1")).toEqual([all[1]]);
	expect(new Set(all.map(({ id }) => id)).size).toBe(3);
});

test("an API request is published when its secrets exist and a run has proved its content", async () => {
	const client = await createClient();
	const auth = { type: "bearer", secret_name: "TOKEN" };
	const tool = await createRequest(client, { url: createEndpoint().url("echo"), auth });
	const first = await publish(client, tool);
	expect(first.status).toBe(409);
	expect(first.body).toEqual({
		...{ published: false, version_number: null },
		checks: {
			config_valid: { passed: true, detail: null },
			secrets_exist: { passed: false, detail: "Secret not found: TOKEN" },
			name_unique: { passed: true, detail: null },
			green_run: { passed: false, detail: "No successful run of the current content" },
		},
	});
	await putSecret(client, "TOKEN", "value-1");
	await runTool(client, tool);
	expect((await publish(client, tool)).body.version_number).toBe(1);
	await describeTool(client, tool, "not run yet");
	const again = await publish(client, tool);
	expect([again.status, again.body.checks.green_run?.passed]).toEqual([409, false]);
	expect(await versionsOf(client, tool)).toHaveLength(1);
});

test("code is published only after it was built", async () => {
	const client = await createClient();
	const { status, body } = await publish(client, await createTool(client, {}));
	expect(status).toBe(409);
	expect(Object.entries(body.checks).map(([name, { passed }]) => [name, passed])).toEqual([
		...[
			["config_valid", true],
			["secrets_exist", true],
			["name_unique", true],
		],
		...[
			["parse", false],
			["schema", false],
			["code_environment", false],
			["content_current", false],
		],
		["green_run", false],
	]);
});

test("send_sms is published when its two secrets exist", async () => {
	const client = await createClient();
	const tool = await createTool(client, { tool_type: "send_sms" });
	const refused = await publish(client, tool);
	expect([refused.status, refused.body.checks.secrets_exist?.detail]).toEqual([
		...[409, "Secret not found: SMS_ACCOUNT_ID, SMS_AUTH_TOKEN"],
	]);
	await putSecret(client, "SMS_ACCOUNT_ID", "account");
	await putSecret(client, "SMS_AUTH_TOKEN", "token");
	expect((await publish(client, tool)).status).toBe(200);
});

test("one of several concurrent publications creates the version, and all return it", async () => {
	const client = await createClient();
	for (let round = 0; round < 10; round++) {
		const tool = await createTool(client, { tool_type: "end_call" });
		await describeTool(client, tool, `round ${round}`);
		const answers = await Promise.all([publish(client, tool), publish(client, tool), publish(client, tool)]);
		const version_number = round + 1;
		for (const { status, body } of answers)
			expect([status, body.version_number]).toEqual([200, version_number]);
		expect(await versionsOf(client, tool)).toHaveLength(version_number);
	}
});

test("a version concurrent with a change contains the published content", async () => {
	const client = await createClient();
	const tool = await endCall(client);
	for (let round = 0; round < 10; round++) {
		const [published] = await Promise.all([
			publish(client, tool),
			describeTool(client, tool, `round ${round}`),
		]);
		expect([200, 409]).toContain(published.status);
	}
	for (const { version_number, content_hash } of await versionsOf(client, tool)) {
		const { snapshot_json } = (await versionOf(client, tool, version_number)).body;
		const copy = await client.call("POST", PATH, {
			...{ name: `copy-${version_number}`, tool_type: "end_call" },
			...{ description: snapshot_json.description, config: snapshot_json.config },
		});
		expect(copy.status).toBe(201);
		const restored = await describeTool(client, tool, snapshot_json.description);
		expect(restored.body).toMatchObject({ content_hash, is_current_version: true });
	}
});

test("an unknown version or one of a deleted tool is not found", async () => {
	const client = await createClient();
	const tool = await endCall(client);
	await publish(client, tool);
	expect(await refusal(versionOf(client, tool, 2))).toEqual([404, "RESOURCE_NOT_FOUND"]);
	for (const number of ["0", "-1", "1.5", "one"])
		expect(await refusal(versionOf(client, tool, number))).toEqual([422, "VALIDATION_FAILED"]);
	await client.call("DELETE", `${PATH}/${tool.id}`);
	expect(await refusal(versionOf(client, tool, 1))).toEqual([404, "RESOURCE_NOT_FOUND"]);
});

test("curated tools have one version, which agents can attach", async () => {
	const client = await createClient();
	for (const tool of CURATED_TOOLS) {
		const [item, ...others] = await versionsOf(client, tool);
		expect(others).toEqual([]);
		const { body } = await versionOf(client, tool, 1);
		expect(ToolVersion.parse(body)).toEqual(body);
		expect(body).toMatchObject({ ...item, version_number: 1, snapshot_json: { tool_type: tool.toolType } });
		expect(await refusal(versionOf(client, tool, 2))).toEqual([404, "RESOURCE_NOT_FOUND"]);
	}
	const tool_refs = CURATED_TOOLS.map(({ id }) => ({
		...{ attachment_id: crypto.randomUUID(), tool_id: id, version: 1 },
	}));
	const { status } = await client.call<Agent>("POST", "/v1/agents", { name: "A", tool_refs });
	expect(status).toBe(201);
});

test("a publication is written completely or not at all", async () => {
	const client = await createClient();
	const { id } = await endCall(client);
	expect(await breakEachWrite(env.DB, client.id, (db) => publishTool(client.ctx(db), id))).toBe(7);
	await updateTool(client.ctx(), id, { description: "x" });
	expect(await publishTool(client.ctx(), id)).toMatchObject({ version_number: 2 });
});

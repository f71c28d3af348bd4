import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents/agents";
import { CreateTool, type Tool, type ToolListItem, type ToolUsage } from "@parley/contracts/agents/tools";
import type { Attachment } from "@parley/contracts/agents/upgrades";
import { breakEachWrite } from "@parley/testing/broken-batch";
import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";
import { createRequest, createTool, getTool, refusal } from "../../test/tools.ts";
import { createTool as create } from "./create-tool.ts";
import { CURATED_TOOLS } from "./curated-tools.ts";
import { deleteTool } from "./delete-tool.ts";
import { duplicateTool } from "./duplicate-tool.ts";
import { updateTool } from "./update-tool.ts";

const PATH = "/v1/agents/tools";
const URL = "https://api.example/";

const patch = (client: Client, { id }: Tool, body: object, headers?: Record<string, string>) =>
	client.call<Tool>("PATCH", `${PATH}/${id}`, body, headers);

describe("changing", () => {
	test("a tool keeps omitted fields, increases the revision and changes the hash", async () => {
		const client = await createClient();
		const tool = await createRequest(client, { url: URL, http_method: "PUT" });
		const { status, body } = await patch(client, tool, { description: "new", argument_defaults: {} });
		expect(status).toBe(200);
		expect(body).toEqual({
			...tool,
			...{ description: "new", revision: 2, updated_at: body.updated_at, content_hash: body.content_hash },
		});
		expect(body.content_hash).not.toBe(tool.content_hash);
		expect(await getTool(client, tool)).toEqual(body);
	});

	test("no field writes nothing", async () => {
		const client = await createClient();
		const tool = await createTool(client, { description: "same" });
		for (const body of [{}, { description: "same" }, { name: tool.name, config: tool.config }])
			expect((await patch(client, tool, body)).body).toEqual(tool);
	});

	test("the name increases the revision but does not change the content", async () => {
		const client = await createClient();
		const tool = await createTool(client, {});
		const { body } = await patch(client, tool, { name: "renamed" });
		expect(body).toEqual({ ...tool, name: "renamed", revision: 2, updated_at: body.updated_at });
	});

	test("a configuration replaces it as a whole", async () => {
		const client = await createClient();
		const tool = await createRequest(client, { url: URL, http_method: "PUT", timeout_seconds: 30 });
		const { body } = await patch(client, tool, { config: { type: "api_request", url: `${URL}x` } });
		expect(body.config).toMatchObject({ url: `${URL}x`, http_method: "POST", timeout_seconds: 10 });
	});

	test.each([
		["another type's configuration", { config: { type: "end_call" } }, "config.type"],
		["code of a tool without any", { code_src: "x" }, "code_src"],
		["secrets of a tool without code", { declared_secrets: [] }, "declared_secrets"],
		["packages of a tool without code", { dependencies: [] }, "dependencies"],
		["a configuration without type", { config: { url: URL } }, "config.type"],
		["a type", { tool_type: "code" }, "tool_type"],
		[
			"an address that is not https",
			{ config: { type: "api_request", url: "ftp://a.example" } },
			"config.url",
		],
	])("%s is refused", async (_, change, path) => {
		const client = await createClient();
		const tool = await createRequest(client, { url: URL });
		const { status, body } = await patch(client, tool, change);
		expect(status).toBe(422);
		expect(body.error.fields?.map((field) => field.path)).toContain(path);
		expect(await getTool(client, tool)).toEqual(tool);
	});

	test("to a name that another tool has is rejected", async () => {
		const client = await createClient();
		await createTool(client, { name: "taken" });
		const tool = await createTool(client, {});
		expect(await refusal(patch(client, tool, { name: "taken" }))).toEqual([409, "TOOL_NAME_CONFLICT"]);
	});

	test("or deleting with an outdated If-Match is rejected", async () => {
		const client = await createClient();
		const tool = await createTool(client, {});
		const { headers } = await client.call("GET", `${PATH}/${tool.id}`);
		const tag = { "if-match": headers.get("etag") ?? "" };
		expect((await patch(client, tool, { description: "1" }, tag)).status).toBe(200);
		expect(await refusal(patch(client, tool, { description: "2" }, tag))).toEqual([
			412,
			"PRECONDITION_FAILED",
		]);
		expect(await refusal(client.call("DELETE", `${PATH}/${tool.id}`, undefined, tag))).toEqual([
			...[412, "PRECONDITION_FAILED"],
		]);
	});

	test("concurrently applies each change completely or rejects it", async () => {
		const client = await createClient();
		const tool = await createTool(client, {});
		const answers = await Promise.all(
			["a", "b", "c", "d"].map((description) => patch(client, tool, { description })),
		);
		const done = answers.filter(({ status }) => status === 200);
		expect((await getTool(client, tool)).revision).toBe(1 + done.length);
		for (const { status, body } of answers.filter((answer) => answer.status !== 200))
			expect([status, body.error.code]).toEqual([409, "REVISION_CONFLICT"]);
	});
});

describe("duplicating", () => {
	test("copies the content, not the name, the versions or the runs", async () => {
		const client = await createClient();
		const tool = await createRequest(client, { url: URL }, { name: "x", argument_defaults: { a: 1 } });
		const { status, body } = await client.call<Tool>("POST", `${PATH}/${tool.id}/duplicate`, { name: "y" });
		expect(status).toBe(201);
		const { id, created_at, updated_at } = body;
		expect(body).toEqual({ ...tool, name: "y", id, created_at, updated_at });
	});

	test("finds a free name when none is given", async () => {
		const client = await createClient();
		const tool = await createTool(client, { name: "x" });
		const names = [];
		for (let i = 0; i < 3; i++)
			names.push((await client.call<Tool>("POST", `${PATH}/${tool.id}/duplicate`)).body.name);
		expect(names).toEqual(["x_copy", "x_copy_2", "x_copy_3"]);
		const long = await createTool(client, { name: "n".repeat(200) });
		expect((await client.call("POST", `${PATH}/${long.id}/duplicate`, {})).status).toBe(201);
		const taken = client.call("POST", `${PATH}/${tool.id}/duplicate`, { name: "x" });
		expect(await refusal(taken)).toEqual([409, "TOOL_NAME_CONFLICT"]);
	});

	test("copies each curated tool into the organisation", async () => {
		const client = await createClient();
		for (const { id, toolType } of CURATED_TOOLS) {
			const { status, body } = await client.call<Tool>("POST", `${PATH}/${id}/duplicate`);
			expect([status, body.tool_type, body.source, body.latest_version]).toEqual([
				201,
				toolType,
				"org",
				null,
			]);
			expect(body.content_hash).toBe((await client.call<Tool>("GET", `${PATH}/${id}`)).body.content_hash);
		}
	});
});

describe("deleting", () => {
	test("removes a tool from every list", async () => {
		const client = await createClient();
		const tool = await createTool(client, {});
		expect((await client.call("DELETE", `${PATH}/${tool.id}`)).status).toBe(204);
		expect(await refusal(client.call("GET", `${PATH}/${tool.id}`))).toEqual([404, "RESOURCE_NOT_FOUND"]);
		expect(await refusal(client.call("DELETE", `${PATH}/${tool.id}`))).toEqual([404, "RESOURCE_NOT_FOUND"]);
		const listed = await client.call<ToolListItem[]>("GET", `${PATH}?name=${tool.name}`);
		expect(listed.body).toEqual([]);
	});

	test("is rejected while the tool is attached to an active agent, which the error names", async () => {
		const client = await createClient();
		const tool = await createTool(client, { tool_type: "end_call" });
		await client.call("POST", `${PATH}/${tool.id}/publish`);
		const attachment_id = crypto.randomUUID();
		const tool_refs = [{ attachment_id, tool_id: tool.id, version: 1 }];
		const agent = (await client.call<Tool>("POST", "/v1/agents", { name: "A", tool_refs })).body;
		const usage = await client.call<ToolUsage[]>("GET", `${PATH}/${tool.id}/usage`);
		expect(usage.body).toEqual([
			{ agent_id: agent.id, agent_name: "A", agent_status: "active", attachment_id, version_number: 1 },
		]);
		const { status, body } = await client.call("DELETE", `${PATH}/${tool.id}`);
		expect([status, body.error.code]).toEqual([409, "TOOL_DELETE_BLOCKED"]);
		expect(body.error.blockers).toEqual([
			{
				...{ resource_type: "agent", resource_id: agent.id, resource_name: "A" },
				location: `tool_refs.${attachment_id}`,
			},
		]);
		expect(body.detail).toBe("The tool is attached to an active agent");
		await client.call("POST", "/v1/agents", { name: "B", status: "inactive", tool_refs });
		expect((await client.call("DELETE", `${PATH}/${tool.id}`)).body.error.blockers).toHaveLength(1);
		await client.call("DELETE", `/v1/agents/${agent.id}`);
		expect((await client.call("DELETE", `${PATH}/${tool.id}`)).status).toBe(204);
	});

	test("is allowed while only inactive agents have attached the tool; they keep their pin and show it as deleted", async () => {
		const client = await createClient();
		const tool = await createTool(client, { tool_type: "end_call" });
		await client.call("POST", `${PATH}/${tool.id}/publish`);
		const tool_refs = [{ attachment_id: crypto.randomUUID(), tool_id: tool.id, version: 1 }];
		const { body: made } = await client.call<Agent>("POST", "/v1/agents", { name: "A", tool_refs });
		const path = `/v1/agents/${made.id}`;
		await client.call("PATCH", path, { status: "inactive" });
		expect((await client.call("DELETE", `${PATH}/${tool.id}`)).status).toBe(204);

		const { body: agent } = await client.call<Agent>("GET", path);
		expect(agent.tool_refs).toMatchObject([{ ...tool_refs[0], tool_deleted: true }]);
		const attachments = await client.call<Attachment[]>("GET", `${PATH}/agents/${made.id}/attachments`);
		expect(attachments.body).toMatchObject([
			{ tool_name: tool.name, tool_deleted: true, latest_version: 1, upgrade_available: false },
		]);
		const renamed = await client.call<Agent>("PATCH", path, { name: "B", tool_refs: agent.tool_refs });
		expect([renamed.status, renamed.body.tool_refs]).toEqual([200, agent.tool_refs]);
		const activated = await client.call("PATCH", path, { status: "active" });
		expect([activated.status, activated.body.error.fields]).toEqual([
			422,
			[{ path: "tool_refs.0.tool_id", message: `Tool not found: ${tool.id}` }],
		]);
		const without = await client.call<Agent>("PATCH", path, { status: "active", tool_refs: [] });
		expect([without.status, without.body.tool_refs]).toEqual([200, []]);
	});

	test("and activating an agent with the tool never both succeed concurrently", async () => {
		const client = await createClient({ curated_types_creatable: true });
		for (let round = 0; round < 10; round++) {
			const tool = await createTool(client, { tool_type: "user_phone_number" });
			await client.call("POST", `${PATH}/${tool.id}/publish`);
			const tool_refs = [{ attachment_id: crypto.randomUUID(), tool_id: tool.id, version: 1 }];
			const body = { name: `A${round}`, status: "inactive", tool_refs };
			const { body: agent } = await client.call<Agent>("POST", "/v1/agents", body);
			const [activated, removed] = await Promise.all([
				client.call("PATCH", `/v1/agents/${agent.id}`, { status: "active" }),
				client.call("DELETE", `${PATH}/${tool.id}`),
			]);
			expect([activated.status, removed.status].filter((status) => status < 400)).toHaveLength(1);
		}
	});

	test("and attaching never both succeed concurrently", async () => {
		const client = await createClient({ curated_types_creatable: true });
		for (let round = 0; round < 10; round++) {
			const tool = await createTool(client, { tool_type: "user_phone_number" });
			await client.call("POST", `${PATH}/${tool.id}/publish`);
			const tool_refs = [{ attachment_id: crypto.randomUUID(), tool_id: tool.id, version: 1 }];
			const [made, removed] = await Promise.all([
				client.call("POST", "/v1/agents", { name: `A${round}`, tool_refs }),
				client.call("DELETE", `${PATH}/${tool.id}`),
			]);
			expect([made.status, removed.status].filter((status) => status < 400)).toHaveLength(1);
		}
	});
});

test("every write of a tool is complete or not done at all", async () => {
	const client = await createClient();
	let id = "";
	const body = CreateTool.parse({ name: "code", declared_secrets: ["A"] });
	const made = async (ctx: ReturnType<Client["ctx"]>) => {
		id = (await create(ctx, body)).id;
	};
	expect(await breakEachWrite(env.DB, client.id, (db) => made(client.ctx(db)))).toBe(5);
	const change = { description: "x", declared_secrets: ["B"] };
	expect(await breakEachWrite(env.DB, client.id, (db) => updateTool(client.ctx(db), id, change))).toBe(7);
	expect(await breakEachWrite(env.DB, client.id, (db) => duplicateTool(client.ctx(db), id, {}))).toBe(5);
	expect(await breakEachWrite(env.DB, client.id, (db) => deleteTool(client.ctx(db), id))).toBe(6);
});

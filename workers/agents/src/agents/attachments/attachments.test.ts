import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents/agents";
import { agentAttachments } from "@parley/db/agents/agent-attachments";
import { vaultReferences, vaultRotationLocks } from "@parley/db/agents/vault";
import { openDatabase } from "@parley/db/client";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient } from "../../../test/client.ts";
import { deleteTool, publishedTool } from "../../../test/published-tool.ts";
import { vaultEntry } from "../../../test/vault-entry.ts";
import { CURATED_TOOLS } from "../../tools/curated-tools.ts";

const PARAMETERS = { parameters: { "city!": { type: "string" }, day: { type: "string" } } };
const call_start = [{ event: "call_start" }];

async function toolOwner(...contents: Parameters<typeof publishedTool>[1][]) {
	const client = await createClient();
	const toolId = await publishedTool(
		client.id,
		...(contents.length > 0 ? contents : [PARAMETERS, PARAMETERS]),
	);
	const ref = (fields: object = {}) => ({
		...{ attachment_id: crypto.randomUUID(), tool_id: toolId, version: 1 },
		...fields,
	});
	const attach = (...tool_refs: object[]) =>
		client.call<Agent>("POST", "/v1/agents", { name: `agent-${crypto.randomUUID()}`, tool_refs });
	return { ...client, toolId, ref, attach };
}

const attachmentsOf = (agentId: string) =>
	openDatabase(env.DB).select().from(agentAttachments).where(eq(agentAttachments.agentId, agentId));

test("an attachment gets every default and is returned as written", async () => {
	const { attach, ref } = await toolOwner();
	const written = ref({ argument_overrides: { city: "Oslo" }, description: "Weather" });
	const { status, body } = await attach(written);
	expect(status).toBe(201);
	expect(body.tool_refs).toEqual([
		{
			...written,
			...{ invocation: "model", system: null, config_overrides: null, tool_deleted: false },
			execution_policy: { pre_action_message: { enabled: false, text: "", wait: false } },
		},
	]);
});

test.each<[string, object, string]>([
	["an unpublished version", { version: 3 }, "version"],
	["a version called latest", { version: "latest" }, "version"],
	["a tool that never was", { tool_id: crypto.randomUUID() }, "tool_id"],
	[
		"an override of an argument that the version lacks",
		{ argument_overrides: { town: "x" } },
		"argument_overrides.town",
	],
	["an override that is no literal", { argument_overrides: { city: ["x"] } }, "argument_overrides.city"],
	[
		"a system argument that the version lacks",
		{ invocation: "system", system: { triggers: call_start, arguments: { town: "x" } } },
		"system.arguments.town",
	],
	["a system invocation without its part", { invocation: "system" }, "system"],
	["a model invocation with a system part", { system: { triggers: call_start } }, "system"],
	["no trigger", { invocation: "system", system: { triggers: [] } }, "system.triggers"],
	[
		"an unknown event",
		{ invocation: "system", system: { triggers: [{ event: "full_moon" }] } },
		"system.triggers.0.event",
	],
	[
		"a chained event without its source",
		{ invocation: "system", system: { triggers: [{ event: "tool_failed" }] } },
		"system.triggers.0.source_attachment_id",
	],
	[
		"a source for an event that has none",
		{
			invocation: "system",
			system: { triggers: [{ event: "call_end", source_attachment_id: crypto.randomUUID() }] },
		},
		"system.triggers.0.source_attachment_id",
	],
	[
		"a source that is no attachment",
		{
			invocation: "system",
			system: { triggers: [{ event: "tool_succeeded", source_attachment_id: crypto.randomUUID() }] },
		},
		"system.triggers.0.source_attachment_id",
	],
	["overrides of another type", { config_overrides: { type: "end_call" } }, "config_overrides.type"],
	[
		"overrides with another type's member",
		{ config_overrides: { type: "api_request", timezone: "UTC" } },
		"config_overrides.timezone",
	],
	[
		"an override out of its bounds",
		{ config_overrides: { type: "api_request", retries: 9 } },
		"config_overrides.retries",
	],
	["a vault entry that never was", { argument_overrides: { city: "{{$TOWN}}" } }, "argument_overrides.city"],
	["an unknown member", { colour: "red" }, "colour"],
	["an attachment id that is no UUID", { attachment_id: "first" }, "attachment_id"],
])("an attachment is rejected for %s", async (_, fields, path) => {
	const { attach, ref } = await toolOwner();
	const { status, body } = await attach(ref(fields));
	expect([status, body.error.code]).toEqual([422, "VALIDATION_FAILED"]);
	expect(body.error.fields?.map((field) => field.path)).toEqual([`tool_refs.0.${path}`]);
});

test("a configuration override must result in a valid tool configuration", async () => {
	const client = await toolOwner({ toolType: "transfer_call" });
	const { ref, attach } = client;
	const refused = await attach(ref({ config_overrides: { type: "transfer_call", phone_number: "12" } }));
	expect(refused.body.error.fields?.map(({ path }) => path)).toEqual([
		"tool_refs.0.config_overrides.phone_number",
	]);
	const taken = { type: "transfer_call", phone_number: "+15550100", mode: "warm" };
	expect((await attach(ref({ config_overrides: taken }))).body.tool_refs).toMatchObject([
		{ config_overrides: taken },
	]);
});

test("the text of an SMS comes from its attachment", async () => {
	const { ref, attach } = await toolOwner({ toolType: "send_sms" });
	const sms = { type: "send_sms", to: "{{caller}}", body: "Hello", from_number: "+15550100" };
	const { status, body } = await attach(ref({ config_overrides: sms }));
	expect([status, body.tool_refs?.[0]?.config_overrides]).toEqual([201, sms]);
});

test("a curated tool is attached at its only version", async () => {
	const { attach, ref } = await toolOwner();
	const [curated] = CURATED_TOOLS;
	expect((await attach(ref({ tool_id: curated?.id }))).status).toBe(201);
	expect((await attach(ref({ tool_id: curated?.id, version: 2 }))).status).toBe(422);
});

test("only an upgrade changes the pinned version", async () => {
	const { attach, ref, call, id } = await toolOwner();
	const held = ref();
	const { body: agent } = await attach(held);
	const path = `/v1/agents/${agent.id}`;
	for (const [method, more] of [["PATCH", {}] as const, ["PUT", { name: "x" }] as const]) {
		const { status, body } = await call(method, path, { ...more, tool_refs: [{ ...held, version: 2 }] });
		expect(status).toBe(422);
		expect(body.error.fields?.map((field) => field.path)).toEqual(["tool_refs.0.version"]);
	}
	const other = await publishedTool(id, PARAMETERS);
	const exchanged = await call("PATCH", path, { tool_refs: [{ ...held, tool_id: other }] });
	expect(exchanged.body.error.fields?.map((field) => field.path)).toEqual(["tool_refs.0.tool_id"]);
	expect((await call("PATCH", path, { tool_refs: [ref({ version: 2 })] })).status).toBe(200);
});

test("an unchanged attachment stays valid after its tool was deleted", async () => {
	const { attach, ref, call, toolId } = await toolOwner();
	const { body: agent } = await attach(ref());
	await deleteTool(toolId);
	expect((await call("PATCH", `/v1/agents/${agent.id}`, { greeting: "Hello" })).status).toBe(200);
});

test("the attachment index matches the agent and is empty after its deletion", async () => {
	const { attach, ref, call, toolId } = await toolOwner();
	const [first, second] = [ref(), ref({ version: 2 })];
	const { body: agent } = await attach(first, second);
	const path = `/v1/agents/${agent.id}`;
	const pins = async () =>
		(await attachmentsOf(agent.id))
			.map((row) => [row.attachmentId, row.kind, row.toolId, row.version])
			.sort();
	expect(await pins()).toEqual(
		[
			[first.attachment_id, "tool", toolId, 1],
			[second.attachment_id, "tool", toolId, 2],
		].sort(),
	);
	await call("PATCH", path, { tool_refs: [second] });
	expect(await pins()).toEqual([[second.attachment_id, "tool", toolId, 2]]);
	await call("DELETE", path);
	expect(await pins()).toEqual([]);
});

test("the maximum number of attachments is written with all references in one batch", async () => {
	const { attach, ref, ...client } = await toolOwner();
	await vaultEntry(client, "TOWN");
	const refs = Array.from({ length: 128 }, () => ref({ argument_overrides: { city: "{{$TOWN}}" } }));
	const { status, body } = await attach(...refs);
	expect(status).toBe(201);
	expect(await attachmentsOf(body.id)).toHaveLength(128);
});

test("vault references follow the agent's state: active, draft, deleted", async () => {
	const client = await createClient();
	const { id, call } = client;
	await vaultEntry(client, "DESK");
	const { body: agent } = await call<Agent>("POST", "/v1/agents", { name: "A", greeting: "Call {{$DESK}}" });
	const path = `/v1/agents/${agent.id}`;
	const references = async (holderType: "agent" | "agent_version") =>
		(
			await openDatabase(env.DB)
				.select()
				.from(vaultReferences)
				.where(and(eq(vaultReferences.organisationId, id), eq(vaultReferences.holderType, holderType)))
		).map(({ entryName, location, classification }) => [entryName, location, classification]);
	expect(await references("agent")).toEqual([["DESK", "greeting", "active"]]);
	expect(await references("agent_version")).toEqual([["DESK", "greeting", "historical"]]);
	await call("PATCH", path, { status: "inactive" });
	expect(await references("agent")).toEqual([["DESK", "greeting", "draft"]]);
	await call("DELETE", path);
	expect(await references("agent")).toEqual([]);
	expect(await references("agent_version")).toHaveLength(1);
});

test("every write to an agent that a rotation has locked is rejected as retryable", async () => {
	const { attach, ref, call, id } = await toolOwner();
	const { body: agent } = await attach(ref());
	const path = `/v1/agents/${agent.id}`;
	const lock = (expiresAt: string) =>
		openDatabase(env.DB)
			.insert(vaultRotationLocks)
			.values({ organisationId: id, agentId: agent.id, rotationId: "r", entryName: "X", expiresAt })
			.onConflictDoUpdate({
				target: [
					vaultRotationLocks.organisationId,
					vaultRotationLocks.agentId,
					vaultRotationLocks.rotationId,
				],
				set: { expiresAt },
			});
	await call("PATCH", path, { greeting: "Hello" });
	await lock(new Date(Date.now() + 30_000).toISOString());
	const attachment = agent.tool_refs[0]!.attachment_id;
	const base = `/v1/agents/tools/agents/${agent.id}/attachments/${attachment}`;
	const { body: shown } = await call<Record<string, unknown>>("POST", `${base}/upgrade-preview/2`);
	const { to_version, current_config_hash, current_tool_version_hash, ...rest } = shown;
	const { target_tool_version_hash, acceptance_hash } = rest;
	const acceptance = { to_version, current_config_hash, current_tool_version_hash };
	const refused = [
		await call("PATCH", path, { greeting: "x" }),
		await call("PATCH", path, { status: "inactive" }),
		await call("PUT", path, { name: "x" }),
		await call("DELETE", path),
		await call("POST", `${path}/versions/1/restore`),
		await call("POST", `${base}/upgrade-accept`, {
			...acceptance,
			target_tool_version_hash,
			acceptance_hash,
		}),
	];
	for (const { status, body, headers } of refused) {
		expect([status, body.error.code, body.error.retryable]).toEqual([409, "AGENT_LOCKED", true]);
		expect(headers.get("retry-after")).toBe("1");
	}
	await lock(new Date(Date.now() - 1).toISOString());
	expect((await call("PATCH", path, { status: "inactive" })).status).toBe(200);
});

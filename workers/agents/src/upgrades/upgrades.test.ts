import { env } from "cloudflare:workers";
import type { Agent, AgentVersion } from "@parley/contracts/agents/agents";
import {
	type AcceptUpgrade,
	type Attachment,
	type UpgradeGroups,
	UpgradePreview,
} from "@parley/contracts/agents/upgrades";
import { tools } from "@parley/db/agents/tools";
import { openDatabase } from "@parley/db/client";
import { breakEachWrite } from "@parley/testing/broken-batch";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Client, createClient } from "../../test/client.ts";
import { publishedTool } from "../../test/published-tool.ts";
import { move } from "../../test/upgrade-cases.ts";
import { acceptUpgrade } from "./accept-upgrade.ts";

const text = { type: "string" };
const V1 = { parameters: { "city!": text, day: text } };
const V2 = { parameters: { "town!": text, day: { type: "integer" }, units: text } };
const V3 = { parameters: { "town!": text } };

type Versions = Parameters<typeof publishedTool>[1][];

/** Creates an agent pinned to version 1 of a tool, and returns the paths of its attachment. */
async function attached(fields: object = {}, versions: Versions = [V1, V2, V3], client?: Client) {
	const owner = client ?? (await createClient());
	const toolId = await publishedTool(owner.id, ...versions);
	const attachment_id = crypto.randomUUID();
	const { status, body: agent } = await owner.call<Agent>("POST", "/v1/agents", {
		name: `agent-${attachment_id}`,
		tool_refs: [{ attachment_id, tool_id: toolId, version: 1, ...fields }],
	});
	expect(status).toBe(201);
	const base = `/v1/agents/tools/agents/${agent.id}/attachments/${attachment_id}`;
	const preview = (to: number) => owner.call<UpgradePreview>("POST", `${base}/upgrade-preview/${to}`);
	const accept = (body: AcceptUpgrade, headers?: Record<string, string>) =>
		owner.call<UpgradePreview>("POST", `${base}/upgrade-accept`, body, headers);
	const read = async () => (await owner.call<Agent>("GET", `/v1/agents/${agent.id}`)).body;
	return { ...owner, toolId, attachment_id, agent, base, preview, accept, read };
}

const acceptanceOf = (preview: UpgradePreview): AcceptUpgrade => ({
	to_version: preview.to_version,
	current_config_hash: preview.current_config_hash,
	current_tool_version_hash: preview.current_tool_version_hash,
	target_tool_version_hash: preview.target_tool_version_hash,
	acceptance_hash: preview.acceptance_hash,
});

test("a preview shows the changes and applies none", async () => {
	const { preview, read, agent, attachment_id, toolId } = await attached({
		argument_overrides: { city: "Oslo" },
	});
	const { status, body } = await preview(2);
	expect(status).toBe(200);
	expect(UpgradePreview.parse(body)).toEqual(body);
	expect(body).toMatchObject({
		...{ agent_id: agent.id, attachment_id, tool_id: toolId, from_version: 1, to_version: 2 },
		reconciled_attachment: {
			attachment_id,
			tool_id: toolId,
			version: 2,
			argument_overrides: { town: "Oslo" },
		},
		added_parameters: [{ name: "units", required: false, schema: text }],
		removed_parameters: [],
		renamed_parameters: { city: "town" },
		type_changed_parameters: { day: { from: text, to: { type: "integer" } } },
		...{ issues: [], can_accept: true, preparation_state: "ready", retry_after_seconds: null },
	});
	expect(await read()).toEqual(agent);
});

test("an accept applies the preview as a new version of the agent", async () => {
	const { call, preview, accept, read, agent } = await attached({ argument_overrides: { city: "Oslo" } });
	const { body: shown } = await preview(2);
	const { status, body } = await accept(acceptanceOf(shown));
	expect(status).toBe(200);
	expect(body).toEqual(shown);
	const after = await read();
	expect(after).toMatchObject({ tool_refs: [shown.reconciled_attachment], version_number: 2, revision: 2 });
	expect((await call<AgentVersion>("GET", `/v1/agents/${agent.id}/versions/2`)).body).toMatchObject({
		...{ source: "upgrade", changed_fields: ["tool_refs"] },
	});
	expect((await preview(2)).body).toMatchObject({
		...{ from_version: 2, added_parameters: [], removed_parameters: [], renamed_parameters: {} },
		...{ type_changed_parameters: {}, issues: [], can_accept: true },
	});
});

test("a downgrade is an upgrade like any other", async () => {
	const { preview, accept, read } = await attached();
	await accept(acceptanceOf((await preview(3)).body));
	const { body: back } = await preview(1);
	expect(back).toMatchObject({ from_version: 3, to_version: 1, can_accept: true });
	expect((await accept(acceptanceOf(back))).status).toBe(200);
	expect((await read()).tool_refs).toMatchObject([{ version: 1 }]);
});

test("accepting the pinned version creates no agent version", async () => {
	const { preview, accept, read, agent } = await attached();
	expect((await accept(acceptanceOf((await preview(1)).body))).status).toBe(200);
	expect(await read()).toEqual(agent);
});

test.each([
	"current_config_hash",
	"current_tool_version_hash",
	"target_tool_version_hash",
	"acceptance_hash",
])("an error names a wrong %s", async (key) => {
	const { preview, accept, read, agent } = await attached();
	const body = { ...acceptanceOf((await preview(2)).body), [key]: "0".repeat(64) };
	const answer = await accept(body);
	expect([answer.status, answer.body.error.code]).toEqual([409, "UPGRADE_HASH_MISMATCH"]);
	expect(answer.body.error.fields).toEqual([{ path: key, message: "Does not match the current value" }]);
	expect(await read()).toEqual(agent);
});

test("an error names the hashes that a change of the agent affected", async () => {
	const { call, preview, accept, agent } = await attached();
	const { body: shown } = await preview(2);
	await call("PATCH", `/v1/agents/${agent.id}`, { greeting: "Hello" });
	const { status, body } = await accept(acceptanceOf(shown));
	expect([status, body.error.code]).toEqual([409, "UPGRADE_HASH_MISMATCH"]);
	expect(body.error.fields?.map(({ path }) => path)).toEqual(["current_config_hash", "acceptance_hash"]);
});

test("an issue blocks the accept until it is resolved", async () => {
	const { call, preview, accept, agent, attachment_id, toolId } = await attached({
		argument_overrides: { day: "1" },
	});
	const { body: shown } = await preview(2);
	expect(shown).toMatchObject({
		can_accept: false,
		issues: [{ code: "OVERRIDE_OF_RETYPED_PARAMETER", parameter: "day", message: expect.any(String) }],
	});
	const refused = await accept(acceptanceOf(shown));
	expect([refused.status, refused.body.error.code]).toEqual([409, "UPGRADE_BLOCKED"]);
	expect(refused.body.error.fields).toMatchObject([{ path: "day" }]);
	const tool_refs = [{ attachment_id, tool_id: toolId, version: 1 }];
	expect((await call("PATCH", `/v1/agents/${agent.id}`, { tool_refs })).status).toBe(200);
	expect((await accept(acceptanceOf((await preview(2)).body))).status).toBe(200);
});

test("an attachment is stale after it moved, was removed or its tool was deleted", async () => {
	const { call, preview, accept, agent, toolId } = await attached();
	const first = acceptanceOf((await preview(2)).body);
	const second = acceptanceOf((await preview(3)).body);
	await accept(first);
	for (const body of [first, second]) {
		const answer = await accept(body);
		expect([answer.status, answer.body.error.code]).toEqual([409, "TOOL_ATTACHMENT_STALE"]);
	}
	const again = acceptanceOf((await preview(3)).body);
	await openDatabase(env.DB)
		.update(tools)
		.set({ deletedAt: "2026-01-01T00:00:00.000Z" })
		.where(eq(tools.id, toolId));
	expect((await accept(again)).body.error.code).toBe("TOOL_ATTACHMENT_STALE");
	await openDatabase(env.DB).update(tools).set({ deletedAt: null }).where(eq(tools.id, toolId));
	await call("PATCH", `/v1/agents/${agent.id}`, { tool_refs: [] });
	expect((await accept(again)).body.error.code).toBe("TOOL_ATTACHMENT_STALE");
	expect((await preview(3)).body.error.code).toBe("TOOL_ATTACHMENT_STALE");
});

test("an unknown attachment or version is not found", async () => {
	const { call, preview, accept, agent } = await attached();
	expect((await preview(4)).status).toBe(404);
	const { body: shown } = await preview(2);
	expect((await accept({ ...acceptanceOf(shown), to_version: 4 })).body.error).toMatchObject({
		...{ code: "VALIDATION_FAILED", fields: [{ path: "to_version" }] },
	});
	const other = `/v1/agents/tools/agents/${agent.id}/attachments/${crypto.randomUUID()}`;
	expect((await call("POST", `${other}/upgrade-preview/2`)).status).toBe(404);
	expect((await call("POST", `${other}/upgrade-accept`, acceptanceOf(shown))).status).toBe(404);
	expect((await call("POST", `${other}/upgrade-preview/0`)).body.error.fields).toMatchObject([
		{ path: "path.to_version" },
	]);
});

test("a preview returns 202 with the time to wait while the target's code is being built", async () => {
	const code = { toolType: "code" as const };
	const { preview, accept, toolId } = await attached({}, [code, { ...code, parameters: { a: text } }]);
	const build = (buildState: "building" | "failed" | "built") =>
		openDatabase(env.DB).update(tools).set({ buildState }).where(eq(tools.id, toolId));
	await build("building");
	const { status, headers, body } = await preview(2);
	expect(status).toBe(202);
	expect(body).toMatchObject({ preparation_state: "preparing", can_accept: false, issues: [] });
	expect(headers.get("retry-after")).toBe(String(body.retry_after_seconds));
	expect(body.retry_after_seconds).toBeGreaterThanOrEqual(1);
	const key = { "idempotency-key": crypto.randomUUID() };
	const early = await accept(acceptanceOf(body), key);
	expect(early.body.error).toMatchObject({ code: "UPGRADE_BLOCKED", retryable: true });
	expect(early.headers.get("retry-after")).toBe(String(body.retry_after_seconds));
	await build("failed");
	expect((await preview(2)).body).toMatchObject({ preparation_state: "failed", retry_after_seconds: null });
	const failed = await accept(acceptanceOf(body));
	expect(failed.body.error).toMatchObject({ code: "UPGRADE_BLOCKED", retryable: false });
	expect(failed.headers.get("retry-after")).toBeNull();
	await build("built");
	expect((await accept(acceptanceOf(body), key)).status).toBe(200);
});

test("exactly one of two concurrent accepts is applied, in 200 rounds", async () => {
	const client = await createClient();
	const { agent, attachment_id, ctx, preview } = await attached({}, [V1, V2, V3], client);
	for (let round = 0; round < 200; round++) {
		const targets = round % 2 === 0 ? [2, 3] : [1, 1];
		const bodies = await Promise.all(targets.map(async (to) => acceptanceOf((await preview(to)).body)));
		const outcomes = await Promise.allSettled(
			bodies.map((body) => acceptUpgrade(ctx(), agent.id, attachment_id, body)),
		);
		expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
		const lost = outcomes.find((outcome) => outcome.status === "rejected");
		expect(lost?.reason).toMatchObject({ code: "TOOL_ATTACHMENT_STALE" });
	}
	const { body } = await client.call<Agent>("GET", `/v1/agents/${agent.id}`);
	expect(body).toMatchObject({ version_number: 201, revision: 201 });
}, 180_000);

test("accepting an acceptable preview succeeds and leaves nothing to upgrade", async () => {
	const client = await createClient();
	await fc.assert(
		fc.asyncProperty(move, async ({ from, to, attachment }) => {
			const fixed = JSON.parse(JSON.stringify(attachment).replaceAll(/\{\{\$\w+\}\}/g, "text"));
			const versions = [from, to].map((snapshot) => ({ snapshot }));
			const { attachment_id: _, tool_id: __, ...fields } = fixed;
			const { preview, accept } = await attached(fields, versions, client);
			const { body: shown } = await preview(2);
			const { status, body } = await accept(acceptanceOf(shown));
			expect([status, body.error?.code]).toEqual(
				shown.can_accept ? [200, undefined] : [409, "UPGRADE_BLOCKED"],
			);
			const { body: after } = await preview(shown.can_accept ? 2 : 1);
			expect(after).toMatchObject({ renamed_parameters: {}, type_changed_parameters: {}, issues: [] });
			expect([after.added_parameters, after.removed_parameters]).toEqual([[], []]);
		}),
		{ numRuns: 30 },
	);
}, 180_000);

test("all attachments of a tool are grouped by whether they can be upgraded", async () => {
	const client = await createClient();
	const toolId = await publishedTool(client.id, V1, V2);
	const ref = (fields: object) => ({
		attachment_id: crypto.randomUUID(),
		tool_id: toolId,
		version: 1,
		...fields,
	});
	for (let n = 0; n < 23; n++) {
		const tool_refs = [ref({}), ...(n === 0 ? [ref({ argument_overrides: { day: "1" } })] : [])];
		await client.call("POST", "/v1/agents", { name: `a${n}`, tool_refs });
	}
	const path = `/v1/agents/tools/${toolId}/upgrades`;
	const { body } = await client.call<UpgradeGroups>("GET", `${path}?to_version=2`);
	expect(body).toMatchObject({ tool_id: toolId, to_version: 2, preparing: [] });
	expect([body.ready.length, body.blocked.length]).toEqual([23, 1]);
	const [first] = body.ready;
	const base = `/v1/agents/tools/agents/${first!.agent_id}/attachments/${first!.attachment_id}`;
	expect((await client.call("POST", `${base}/upgrade-preview/2`)).body).toEqual(first);
	expect((await client.call("GET", `${path}?to_version=3`)).status).toBe(404);
	expect((await client.call("GET", path)).body.error.fields).toMatchObject([{ path: "query.to_version" }]);
});

test("an agent's attachments are listed with their tools", async () => {
	const { call, agent, attachment_id, toolId } = await attached();
	const { body } = await call<Attachment[]>("GET", `/v1/agents/tools/agents/${agent.id}/attachments`);
	expect(body).toMatchObject([
		{
			...{ agent_id: agent.id, attachment_id, tool_id: toolId, version: 1, latest_version: 3 },
			...{ tool_name: `tool-${toolId}`, tool_type: "api_request", upgrade_available: true },
		},
	]);
});

test("an accept that fails at any statement leaves nothing behind", async () => {
	const { id, ctx, agent, attachment_id, preview } = await attached();
	const body = acceptanceOf((await preview(2)).body);
	const places = await breakEachWrite(env.DB, id, (db) =>
		acceptUpgrade(ctx(db), agent.id, attachment_id, body),
	);
	expect(places).toBeGreaterThan(6);
});

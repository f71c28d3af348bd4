import type { Agent } from "@parley/contracts/agents/agents";
import type { AuditEntry, AuditPage } from "@parley/contracts/agents/audit-log";
import { expect, test } from "vitest";
import type { z } from "zod";
import { createClient } from "../../test/client.ts";

type Page = z.infer<typeof AuditPage>;

async function changedAgent() {
	const client = await createClient();
	const { body: agent } = await client.call<Agent>("POST", "/v1/agents", { name: "A" });
	const headers = { "x-request-id": "request-of-the-update" };
	await client.call("PATCH", `/v1/agents/${agent.id}`, { name: "B", status: "inactive" }, headers);
	await client.call("DELETE", `/v1/agents/${agent.id}`);
	const log = async (query = ""): Promise<AuditEntry[]> =>
		(await client.call<Page>("GET", `/v1/agents/audit-log${query}`)).body.items;
	return { ...client, agent, log };
}

test("each change has an entry with actor, action and request id, newest first", async () => {
	const { id, agent, log } = await changedAgent();
	const entries = await log();
	expect(entries.map(({ action }) => action)).toEqual(["agent.delete", "agent.update", "agent.create"]);
	expect(entries[1]).toEqual({
		id: expect.any(String),
		organisation_id: id,
		actor: expect.stringMatching(/^api_key:[0-9a-f-]{36}$/),
		...{ action: "agent.update", resource_type: "agent", resource_id: agent.id, resource_name: "B" },
		details: { version_number: 2, changed_fields: ["name"], status: "inactive" },
		request_id: "request-of-the-update",
		created_at: expect.any(String),
	});
});

test("a rejected change has no entry", async () => {
	const { call, log } = await changedAgent();
	await call("POST", "/v1/agents", { name: "C" });
	await call("POST", "/v1/agents", { name: "C" });
	expect((await log()).filter(({ action }) => action === "agent.create")).toHaveLength(2);
});

test("entries are paged and filtered by actor, action, resource and time", async () => {
	const { call, agent, log } = await changedAgent();
	const [newest, middle, oldest] = (await log()) as [AuditEntry, AuditEntry, AuditEntry];
	expect(await log("?page=2&page_size=2")).toEqual([oldest]);
	expect(await log("?action=agent.update")).toEqual([middle]);
	expect(await log(`?actor=${newest.actor}`)).toHaveLength(3);
	expect(await log("?actor=api_key:nobody")).toEqual([]);
	expect(await log(`?resource_type=agent&resource_id=${agent.id}`)).toHaveLength(3);
	expect(await log("?resource_type=tool")).toEqual([]);
	expect(await log(`?since=${oldest.created_at}`)).toHaveLength(3);
	expect(await log(`?until=${oldest.created_at}`)).toEqual([]);
	expect((await log("?until=2100-01-01T00:00:00Z&since=2020-01-01T00:00:00Z")).length).toBe(3);
	const { body } = await call<Page>("GET", "/v1/agents/audit-log?page_size=2");
	expect(body.meta).toEqual({ page: 1, page_size: 2, total: 3, pages: 2 });
});

test("another organisation's entries are not listed", async () => {
	await changedAgent();
	const { call } = await createClient();
	expect((await call<Page>("GET", "/v1/agents/audit-log")).body.items).toEqual([]);
});

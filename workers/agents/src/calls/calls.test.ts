import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents/agents";
import { type Call, type CallPage, CallStatus, CreateCall } from "@parley/contracts/agents/calls";
import { openDatabase } from "@parley/db/client";
import { breakEachWrite } from "@parley/testing/broken-batch";
import { expect, test } from "vitest";
import type { z } from "zod";
import { createClient } from "../../test/client.ts";
import { rerunMigration } from "../../test/rerun-migration.ts";
import { canBecome, createCall, updateCall } from "./calls.service.ts";

type Page = z.infer<typeof CallPage>;

async function createAgent() {
	const client = await createClient();
	const { body } = await client.call<Agent>("POST", "/v1/agents", { name: "A" });
	const path = `/v1/agents/${body.id}/calls`;
	const start = async (call: object = { direction: "outbound" }) =>
		(await client.call<Call>("POST", path, call)).body;
	return { ...client, agent: body, path, start };
}

test("a call is recorded with the agent's version and updated until it ends", async () => {
	const { call, path, agent, id: organisation_id } = await createAgent();
	const { status, body } = await call<Call>("POST", path, {
		...{ direction: "outbound", from_number: "+15550100", to_number: "+15550199" },
		metadata: { campaign: 7 },
	});
	expect(status).toBe(201);
	expect(body).toEqual({
		...{ id: expect.any(String), organisation_id, agent_id: agent.id, agent_version: 1 },
		...{
			direction: "outbound",
			status: "queued",
			state: "queued",
			from_number: "+15550100",
			to_number: "+15550199",
		},
		...{ external_id: null, reason: null, metadata: { campaign: 7 } },
		...{ created_at: expect.any(String), updated_at: body.created_at, answered_at: null, ended_at: null },
		tool_calls: [],
	});
	for (const status of ["dispatching", "ringing", "in_progress"])
		expect((await call<Call>("PATCH", `${path}/${body.id}`, { status })).body).toMatchObject({
			status,
			state: status,
			ended_at: null,
		});
	const end = { status: "completed", reason: "hung up", external_id: "c-1" };
	const { body: ended } = await call<Call>("PATCH", `${path}/${body.id}`, end);
	expect(ended).toMatchObject({ ...end, answered_at: expect.any(String), ended_at: expect.any(String) });
	expect((await call<Call>("GET", `${path}/${body.id}`)).body).toEqual(ended);
});

test("a call only moves forward, completes only from in_progress, and keeps a final status", () => {
	const legal = CallStatus.options.flatMap((from) =>
		CallStatus.options.filter((to) => canBecome(from, to)).map((to) => `${from} ${to}`),
	);
	expect(legal).toEqual([
		"queued dispatching",
		"queued ringing",
		"queued in_progress",
		"queued failed",
		"queued cancelled",
		"dispatching ringing",
		"dispatching in_progress",
		"dispatching failed",
		"dispatching cancelled",
		"ringing in_progress",
		"ringing failed",
		"ringing cancelled",
		"in_progress completed",
		"in_progress failed",
		"in_progress cancelled",
	]);
});

test("an illegal status change is rejected and changes nothing", async () => {
	const { call, path, start } = await createAgent();
	const { id } = await start();
	const { status, body } = await call("PATCH", `${path}/${id}`, { status: "completed", reason: "x" });
	expect(status).toBe(422);
	expect(body.error.fields).toEqual([
		{ path: "status", message: "A call that is queued cannot become completed" },
	]);
	await call("PATCH", `${path}/${id}`, { status: "cancelled" });
	expect((await call("PATCH", `${path}/${id}`, { status: "ringing" })).status).toBe(422);
	expect((await call<Call>("GET", `${path}/${id}`)).body).toMatchObject({
		status: "cancelled",
		reason: null,
	});
});

test("a report of the current status changes nothing", async () => {
	const { call, path, start } = await createAgent();
	const { id } = await start();
	const { body } = await call<Call>("PATCH", `${path}/${id}`, { status: "failed" });
	expect((await call<Call>("PATCH", `${path}/${id}`, { status: "failed" })).body).toEqual(body);
});

test("exactly one of two concurrently reported ends is kept", async () => {
	const { call, path, start } = await createAgent();
	const { id } = await start();
	const ends = await Promise.all(
		["failed", "cancelled"].map((status) => call<Call>("PATCH", `${path}/${id}`, { status })),
	);
	expect(ends.filter(({ status }) => status === 200)).toHaveLength(1);
	const { body } = await call<Call>("GET", `${path}/${id}`);
	expect(body.status).toBe(ends.find(({ status }) => status === 200)?.body.status);
});

test("calls are listed newest first, paged, by status and direction", async () => {
	const { call, path, start } = await createAgent();
	const made: Call[] = [];
	for (const direction of ["inbound", "outbound", "inbound"]) made.push(await start({ direction }));
	await call("PATCH", `${path}/${made[0]!.id}`, { status: "ringing" });
	const ids = async (query: string) =>
		(await call<Page>("GET", `${path}${query}`)).body.items.map(({ id }) => id);
	const [a, b, c] = made.map(({ id }) => id);
	expect(await ids("")).toEqual([c, b, a]);
	expect(await ids("?page=2&page_size=2")).toEqual([a]);
	expect(await ids("?direction=inbound")).toEqual([c, a]);
	expect(await ids("?status=ringing&status=failed")).toEqual([a]);
	expect((await call<Page>("GET", `${path}?page_size=2`)).body.meta).toEqual({
		...{ page: 1, page_size: 2, total: 3, pages: 2 },
	});
});

test("`state` is an alias of `status` for a report and a filter", async () => {
	const { call, path, start } = await createAgent();
	const { id } = await start();
	const { body } = await call<Call>("PATCH", `${path}/${id}`, { state: "ringing" });
	expect([body.status, body.state]).toEqual(["ringing", "ringing"]);
	const ids = async (query: string) =>
		(await call<Page>("GET", `${path}${query}`)).body.items.map((item) => item.id);
	expect([await ids("?state=ringing"), await ids("?state=queued")]).toEqual([[id], []]);
	expect(await ids("?state=queued&status=ringing")).toEqual([id]);
	const twice = await call("PATCH", `${path}/${id}`, { status: "failed", state: "cancelled" });
	expect([twice.status, twice.body.error.fields]).toEqual([
		422,
		[{ path: "state", message: "Must equal `status`, whose alias it is" }],
	]);
	const backwards = await call("PATCH", `${path}/${id}`, { state: "queued" });
	expect(backwards.body.error.fields).toMatchObject([{ path: "state" }]);
});

test("a call is found only under its own agent", async () => {
	const { call, path, start } = await createAgent();
	const { id } = await start();
	const { body: other } = await call<Agent>("POST", "/v1/agents", { name: "B" });
	expect((await call("GET", `/v1/agents/${other.id}/calls/${id}`)).status).toBe(404);
	expect((await call("PATCH", `${path}/${id}`, { status: "paused" })).body.error.fields).toMatchObject([
		{ path: "status" },
	]);
});

test("deleting an agent cancels its live calls and does not change ended ones", async () => {
	const { call, path, agent, start } = await createAgent();
	const [queued, answered, done] = [await start(), await start(), await start()];
	await call("PATCH", `${path}/${answered.id}`, { status: "in_progress" });
	await call("PATCH", `${path}/${done.id}`, { status: "failed", reason: "busy" });
	expect((await call("DELETE", `/v1/agents/${agent.id}`)).status).toBe(204);

	const { status, body } = await call<Page>("GET", path);
	expect(status).toBe(200);
	const cancelled = { status: "cancelled", reason: "agent_deleted", ended_at: expect.any(String) };
	expect(body.items).toMatchObject([
		{ id: done.id, status: "failed", reason: "busy" },
		{ id: answered.id, ...cancelled, answered_at: expect.any(String) },
		{ id: queued.id, ...cancelled, answered_at: null },
	]);
	expect(body.items[2]!.updated_at).toBe(body.items[2]!.ended_at);
	expect((await call<Call>("GET", `${path}/${queued.id}`)).body).toMatchObject(body.items[2]!);

	const late = await call("PATCH", `${path}/${answered.id}`, { status: "completed" });
	expect([late.status, late.body.error.fields]).toEqual([
		422,
		[{ path: "status", message: "A call that is cancelled cannot become completed" }],
	]);
	expect((await call("POST", path, { direction: "inbound" })).status).toBe(404);
	const log = await call<{ items: object[] }>("GET", "/v1/agents/audit-log?action=agent.delete");
	expect(log.body.items).toMatchObject([{ details: { cancelled_calls: 2 } }]);
});

test("a call is not recorded for an agent that is deleted at the same time", async () => {
	const { call, path, agent, ctx } = await createAgent();
	const db = openDatabase(env.DB);
	const deletedBeforeTheWrite = new Proxy(db, {
		get: (target, key) =>
			key === "batch"
				? async (statements: Parameters<typeof db.batch>[0]) => {
						await call("DELETE", `/v1/agents/${agent.id}`);
						return db.batch(statements);
					}
				: Reflect.get(target, key, target),
	});
	const body = CreateCall.parse({ direction: "inbound" });
	await expect(createCall(ctx(deletedBeforeTheWrite), agent.id, body)).rejects.toMatchObject({
		code: "RESOURCE_NOT_FOUND",
	});
	expect((await call<Page>("GET", path)).body.items).toEqual([]);
});

test("the migration ends calls that an earlier release left live after deleting their agent", async () => {
	const { call, path, agent, start, id: organisationId } = await createAgent();
	const [stuck, done] = [await start(), await start()];
	await call("PATCH", `${path}/${done.id}`, { status: "failed" });
	const before = await call<Call>("GET", `${path}/${done.id}`);
	const deletedAt = "2036-11-20T09:30:00.000Z";
	await env.DB.prepare("update agents set deleted_at = ? where organisation_id = ? and id = ?")
		.bind(deletedAt, organisationId, agent.id)
		.run();
	const { body: other } = await call<Agent>("POST", "/v1/agents", { name: "live" });
	const { body: live } = await call<Call>("POST", `/v1/agents/${other.id}/calls`, { direction: "inbound" });

	await rerunMigration("end_calls_of_deleted_agents");
	expect((await call<Call>("GET", `${path}/${stuck.id}`)).body).toMatchObject({
		...{ status: "cancelled", reason: "agent_deleted", ended_at: deletedAt, updated_at: deletedAt },
	});
	expect((await call<Call>("GET", `${path}/${done.id}`)).body).toEqual(before.body);
	expect((await call<Call>("GET", `/v1/agents/${other.id}/calls/${live.id}`)).body).toEqual(live);
});

test("a write that fails at any statement leaves nothing behind", async () => {
	const { id, ctx, agent, start } = await createAgent();
	const body = CreateCall.parse({ direction: "inbound" });
	expect(await breakEachWrite(env.DB, id, (db) => createCall(ctx(db), agent.id, body))).toBe(4);
	const call = await start();
	const report = { status: "ringing" } as const;
	expect(await breakEachWrite(env.DB, id, (db) => updateCall(ctx(db), agent.id, call.id, report))).toBe(4);
});

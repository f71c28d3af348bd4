import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents";
import { type Call, type CallPage, CallState, CreateCall } from "@parley/contracts/calls";
import { breakEachWrite } from "@parley/testing/broken-batch";
import { expect, test } from "vitest";
import type { z } from "zod";
import { createClient } from "../../test/client.ts";
import { canBecome } from "./call-states.ts";
import { createCall, updateCall } from "./calls.service.ts";

type Page = z.infer<typeof CallPage>;

async function createAgent() {
	const client = await createClient();
	const { body } = await client.call<Agent>("POST", "/v1/agents", { name: "A" });
	const path = `/v1/agents/${body.id}/calls`;
	const start = async (call: object = { direction: "outbound" }) =>
		(await client.call<Call>("POST", path, call)).body;
	return { ...client, agent: body, path, start };
}

test("a call is recorded with the agent's version and reported on to its end", async () => {
	const { call, path, agent, id: organisation_id } = await createAgent();
	const { status, body } = await call<Call>("POST", path, {
		...{ direction: "outbound", from_number: "+15550100", to_number: "+15550199" },
		metadata: { campaign: 7 },
	});
	expect(status).toBe(201);
	expect(body).toEqual({
		...{ id: expect.any(String), organisation_id, agent_id: agent.id, agent_version: 1 },
		...{ direction: "outbound", state: "queued", from_number: "+15550100", to_number: "+15550199" },
		...{ external_id: null, reason: null, metadata: { campaign: 7 } },
		...{ created_at: expect.any(String), updated_at: body.created_at, answered_at: null, ended_at: null },
	});
	for (const state of ["dispatching", "ringing", "in_progress"])
		expect((await call<Call>("PATCH", `${path}/${body.id}`, { state })).body).toMatchObject({
			state,
			ended_at: null,
		});
	const end = { state: "completed", reason: "hung up", external_id: "c-1" };
	const { body: ended } = await call<Call>("PATCH", `${path}/${body.id}`, end);
	expect(ended).toMatchObject({ ...end, answered_at: expect.any(String), ended_at: expect.any(String) });
	expect((await call<Call>("GET", `${path}/${body.id}`)).body).toEqual(ended);
});

test("only forward steps are legal, only in_progress completes, and a final state is final", () => {
	const legal = CallState.options.flatMap((from) =>
		CallState.options.filter((to) => canBecome(from, to)).map((to) => `${from} ${to}`),
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

test("an illegal step is refused and changes nothing", async () => {
	const { call, path, start } = await createAgent();
	const { id } = await start();
	const { status, body } = await call("PATCH", `${path}/${id}`, { state: "completed", reason: "x" });
	expect(status).toBe(422);
	expect(body.error.fields).toEqual([
		{ path: "state", message: "A call that is queued cannot become completed" },
	]);
	await call("PATCH", `${path}/${id}`, { state: "cancelled" });
	expect((await call("PATCH", `${path}/${id}`, { state: "ringing" })).status).toBe(422);
	expect((await call<Call>("GET", `${path}/${id}`)).body).toMatchObject({ state: "cancelled", reason: null });
});

test("a report that says nothing new changes nothing", async () => {
	const { call, path, start } = await createAgent();
	const { id } = await start();
	const { body } = await call<Call>("PATCH", `${path}/${id}`, { state: "failed" });
	expect((await call<Call>("PATCH", `${path}/${id}`, { state: "failed" })).body).toEqual(body);
});

test("of two ends reported at once exactly one is kept", async () => {
	const { call, path, start } = await createAgent();
	const { id } = await start();
	const ends = await Promise.all(
		["failed", "cancelled"].map((state) => call<Call>("PATCH", `${path}/${id}`, { state })),
	);
	expect(ends.filter(({ status }) => status === 200)).toHaveLength(1);
	const { body } = await call<Call>("GET", `${path}/${id}`);
	expect(body.state).toBe(ends.find(({ status }) => status === 200)?.body.state);
});

test("calls are listed newest first, paged, by state and direction", async () => {
	const { call, path, start } = await createAgent();
	const made: Call[] = [];
	for (const direction of ["inbound", "outbound", "inbound"]) made.push(await start({ direction }));
	await call("PATCH", `${path}/${made[0]!.id}`, { state: "ringing" });
	const ids = async (query: string) =>
		(await call<Page>("GET", `${path}${query}`)).body.items.map(({ id }) => id);
	const [a, b, c] = made.map(({ id }) => id);
	expect(await ids("")).toEqual([c, b, a]);
	expect(await ids("?page=2&page_size=2")).toEqual([a]);
	expect(await ids("?direction=inbound")).toEqual([c, a]);
	expect(await ids("?state=ringing&state=failed")).toEqual([a]);
	expect((await call<Page>("GET", `${path}?page_size=2`)).body.meta).toEqual({
		...{ page: 1, page_size: 2, total: 3, pages: 2 },
	});
});

test("a call is found under its own agent only", async () => {
	const { call, path, start } = await createAgent();
	const { id } = await start();
	const { body: other } = await call<Agent>("POST", "/v1/agents", { name: "B" });
	expect((await call("GET", `/v1/agents/${other.id}/calls/${id}`)).status).toBe(404);
	expect((await call("PATCH", `${path}/${id}`, { state: "paused" })).body.error.fields).toMatchObject([
		{ path: "state" },
	]);
});

test("a write broken anywhere leaves nothing behind", async () => {
	const { id, ctx, agent, start } = await createAgent();
	const body = CreateCall.parse({ direction: "inbound" });
	expect(await breakEachWrite(env.DB, id, (db) => createCall(ctx(db), agent.id, body))).toBe(3);
	const call = await start();
	const report = { state: "ringing" } as const;
	expect(await breakEachWrite(env.DB, id, (db) => updateCall(ctx(db), agent.id, call.id, report))).toBe(4);
});

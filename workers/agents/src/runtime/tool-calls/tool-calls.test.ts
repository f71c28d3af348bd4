import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents/agents";
import type { Call, CallWithToolCalls } from "@parley/contracts/agents/calls";
import type { ToolCallPage } from "@parley/contracts/agents/tool-calls";
import { STACK_STARTED } from "@parley/contracts/internal/crons";
import { toolCalls } from "@parley/db/agents/tool-calls";
import { type Database, openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { and, eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import type { z } from "zod";
import { type Client, createClient } from "../../../test/client.ts";
import type { Ctx } from "../../context.ts";
import worker from "../../worker.ts";
import { type EndedCall, type StartedCall, startRecord } from "./records/call-record.ts";

type Page = z.infer<typeof ToolCallPage>;

const DAY_MS = 24 * 60 * 60 * 1000;

async function createAgent() {
	const client = await createClient();
	const { body } = await client.call<Agent>("POST", "/v1/agents", { name: "A" });
	return { client, agentId: body.id, path: `/v1/agents/${body.id}/tool-calls` };
}

const startedCall = (client: Client, agentId: string, own: Partial<StartedCall> = {}): StartedCall => ({
	...{ organisationId: client.id, id: newId(), agentId, agentVersion: 1, attachmentId: crypto.randomUUID() },
	...{ name: "forecast", toolId: crypto.randomUUID(), versionNumber: 3, arguments: { city: "Oslo" } },
	...{ actor: "api_key:test", createdAt: new Date().toISOString() },
	expiresAt: new Date(Date.now() + 60_000).toISOString(),
	...own,
});

const endedCall: EndedCall = {
	...{
		status: "succeeded",
		output: { forecast: "clear" },
		directive: null,
		error: null,
		validation: "valid",
	},
	...{ logs: [], mocked: false, latencyMs: 84, endedAt: new Date().toISOString() },
};

/** Returns a context whose deferred work a test can wait for. */
function deferringContext(client: Client, db?: Database) {
	const deferred: Promise<unknown>[] = [];
	const ctx: Ctx = { ...client.ctx(db), defer: (work) => void deferred.push(work) };
	return { ctx, settled: () => Promise.all(deferred) };
}

async function record(client: Client, call: StartedCall, ended: Partial<EndedCall> = {}): Promise<string> {
	const { ctx, settled } = deferringContext(client);
	startRecord(ctx, call).end({ ...endedCall, ...ended });
	await settled();
	return call.id;
}

async function insertRunning(
	client: Client,
	agentId: string,
	own: Partial<StartedCall> = {},
): Promise<string> {
	const call = startedCall(client, agentId, own);
	const ending = { ...{ status: "running" as const, validation: "na" as const }, logs: [], mocked: false };
	await openDatabase(env.DB)
		.insert(toolCalls)
		.values({ ...call, ...ending });
	return call.id;
}

const readRow = async (client: Client, id: string) =>
	(
		await openDatabase(env.DB)
			.select()
			.from(toolCalls)
			.where(and(eq(toolCalls.organisationId, client.id), eq(toolCalls.id, id)))
	)[0];

test("a call that has ended is listed with its arguments and its output", async () => {
	const { client, agentId, path } = await createAgent();
	const call = startedCall(client, agentId);
	await record(client, call);
	const { status, body } = await client.call<Page>("GET", path);
	expect(status).toBe(200);
	expect(body).toEqual({
		items: [
			{
				...{
					id: call.id,
					attachment_id: call.attachmentId,
					name: "forecast",
					tool_id: call.toolId,
					version: 3,
				},
				...{
					agent_id: agentId,
					agent_version: 1,
					session_id: null,
					call_id: null,
					tool_call_id: null,
					event: null,
				},
				...{
					status: "succeeded",
					arguments: { city: "Oslo" },
					output: { forecast: "clear" },
					directive: null,
				},
				...{
					error: null,
					latency_ms: 84,
					validation: "valid",
					logs: [],
					mocked: false,
					actor: "api_key:test",
				},
				...{ created_at: call.createdAt, ended_at: endedCall.endedAt },
			},
		],
		meta: { page_size: 50, next_cursor: null },
	});
});

test("tool calls are listed newest first, page by page, and a call that starts meanwhile moves no page", async () => {
	const { client, agentId, path } = await createAgent();
	const ids = [];
	for (let i = 0; i < 5; i++) ids.push(await record(client, startedCall(client, agentId)));
	const page = async (cursor = "") =>
		(await client.call<Page>("GET", `${path}?page_size=2${cursor && `&cursor=${cursor}`}`)).body;
	const first = await page();
	await record(client, startedCall(client, agentId));
	const second = await page(first.meta.next_cursor ?? "");
	const third = await page(second.meta.next_cursor ?? "");
	const listed = [first, second, third].map(({ items }) => items.map(({ id }) => id));
	expect(listed).toEqual([[ids[4], ids[3]], [ids[2], ids[1]], [ids[0]]]);
	expect(third.meta.next_cursor).toBeNull();
});

test("tool calls are filtered by session, recorded call, tool and status", async () => {
	const { client, agentId, path } = await createAgent();
	const sessionId = crypto.randomUUID();
	const callId = crypto.randomUUID();
	const a = startedCall(client, agentId, { sessionId, callId });
	const b = startedCall(client, agentId, { sessionId });
	const c = startedCall(client, agentId);
	await record(client, a);
	await record(client, b, { status: "failed" });
	await record(client, c, { status: "rejected" });
	const ids = async (query: string) =>
		(await client.call<Page>("GET", `${path}?${query}`)).body.items.map(({ id }) => id);
	expect(await ids(`session_id=${sessionId}`)).toEqual([b.id, a.id]);
	expect(await ids(`call_id=${callId}`)).toEqual([a.id]);
	expect(await ids(`tool_id=${c.toolId}`)).toEqual([c.id]);
	expect(await ids("status=failed&status=rejected")).toEqual([c.id, b.id]);
	expect(await ids("status=running")).toEqual([]);
});

test("a recorded call shows the tool calls of its sessions, oldest first", async () => {
	const { client, agentId } = await createAgent();
	const { body } = await client.call<Call>("POST", `/v1/agents/${agentId}/calls`, { direction: "inbound" });
	const first = await record(client, startedCall(client, agentId, { callId: body.id }));
	const second = await record(client, startedCall(client, agentId, { callId: body.id }), {
		status: "failed",
	});
	await record(client, startedCall(client, agentId));
	const shown = await client.call<CallWithToolCalls>("GET", `/v1/agents/${agentId}/calls/${body.id}`);
	expect(shown.body.tool_calls.map(({ id, status }) => [id, status])).toEqual([
		[first, "succeeded"],
		[second, "failed"],
	]);
});

test("another organisation's tool calls are not found", async () => {
	const { client, agentId, path } = await createAgent();
	await record(client, startedCall(client, agentId));
	const stranger = await createClient();
	expect((await stranger.call("GET", path)).status).toBe(404);
});

test("a call that lasts is recorded as running until it ends", async () => {
	const { client, agentId } = await createAgent();
	const { ctx, settled } = deferringContext(client);
	const call = startedCall(client, agentId);
	const { end } = startRecord(ctx, call);
	await vi.waitFor(
		async () => expect(await readRow(client, call.id)).toMatchObject({ status: "running" }),
		5_000,
	);
	end(endedCall);
	await settled();
	expect(await readRow(client, call.id)).toMatchObject({ status: "succeeded", latencyMs: 84 });
});

test("a database that fails neither delays nor fails the call", async () => {
	const { client, agentId } = await createAgent();
	const silent = vi.spyOn(console, "error").mockImplementation(() => {});
	const broken = openDatabase({
		prepare: () => {
			throw new Error("database away");
		},
	} as unknown as D1Database);
	const { ctx, settled } = deferringContext(client, broken);
	startRecord(ctx, startedCall(client, agentId)).end(endedCall);
	await settled();
	expect(silent.mock.calls.flat().join()).toContain("TOOL_CALL_NOT_RECORDED");
	silent.mockRestore();
});

test("the sweep ends a running call whose time is over, and leaves the others alone", async () => {
	const { client, agentId } = await createAgent();
	const createdAt = new Date(Date.now() - 90_000).toISOString();
	const lost = await insertRunning(client, agentId, {
		createdAt,
		expiresAt: new Date(Date.now() - 1).toISOString(),
	});
	const live = await insertRunning(client, agentId);
	await worker.scheduled(createScheduledController({ cron: "*/5 * * * *" }), env as Env);
	const row = await readRow(client, lost);
	expect(row).toMatchObject({
		status: "failed",
		error: { code: "INTERRUPTED" },
		endedAt: expect.any(String),
	});
	expect(row?.latencyMs).toBeGreaterThanOrEqual(89_999);
	expect(await readRow(client, live)).toMatchObject({ status: "running", endedAt: null });
});

test("a stack that has just started ends every running call", async () => {
	const { client, agentId } = await createAgent();
	const lost = await insertRunning(client, agentId);
	await worker.scheduled(createScheduledController({ cron: STACK_STARTED }), env as Env);
	expect(await readRow(client, lost)).toMatchObject({ status: "failed", error: { code: "INTERRUPTED" } });
});

test("the hourly sweep removes the calls that are older than the retention", async () => {
	const { client, agentId } = await createAgent();
	const idAt = (daysAgo: number) => {
		const hex = (Date.now() - daysAgo * DAY_MS).toString(16).padStart(12, "0");
		return `${hex.slice(0, 8)}-${hex.slice(8)}${newId().slice(13)}`;
	};
	const [old, recent] = [idAt(30.01), idAt(29.99)];
	for (const id of [old, recent]) await record(client, startedCall(client, agentId, { id }));
	await worker.scheduled(createScheduledController({ cron: "7 * * * *" }), env as Env);
	expect([await readRow(client, old), (await readRow(client, recent))?.id]).toEqual([undefined, recent]);
});

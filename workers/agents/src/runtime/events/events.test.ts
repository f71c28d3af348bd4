import type { EventCalls } from "@parley/contracts/agents/tool-calls";
import { expect, test } from "vitest";
import { createClient } from "../../../test/client.ts";
import { createEndpoint } from "../../../test/endpoint.ts";
import { inSession, liveAgent, namedTool, toolRef } from "../../../test/live-agent.ts";
import { reportEvent } from "./report-event.ts";

const system = (triggers: object[], given: object = {}) => ({
	invocation: "system",
	system: { triggers, arguments: given },
});

/** Creates an agent that greets at the start of a call, looks the caller up, and notes it if the lookup fails. */
async function receptionist(lookup = "status/404") {
	const [client, endpoint] = [await createClient(), createEndpoint()];
	const request = (name: string, behaviour: string) =>
		namedTool(client, name, "api_request", {
			config: { url: endpoint.url(behaviour), http_method: "POST" },
			parameters: { caller: { type: "string" } },
		});
	const number = toolRef(
		await namedTool(client, "number", "user_phone_number"),
		system([{ event: "call_start" }]),
	);
	const find = toolRef(
		await request("find", lookup),
		system([{ event: "call_start" }], { caller: "{{customer}}" }),
	);
	const note = toolRef(
		await request("note", "echo"),
		system([{ event: "tool_failed", source_attachment_id: find.attachment_id }]),
	);
	const bye = toolRef(await namedTool(client, "bye", "end_call"), system([{ event: "call_end" }]));
	const byModel = toolRef(await request("by_model", "echo"));
	const live = await liveAgent(client, { tool_refs: [note, number, byModel, find, bye] });
	const session = { variables: { customer: "Ada" }, caller: { phone_number: "+15550199" } };
	const ctx = inSession(client.ctx(), live.agent.id, session);
	return { client, endpoint, ctx, ...live };
}

const report = { event: "call_start" as const, deadline_ms: 30_000 };

test("an event runs its tools in order, then those that wait for a failure, and records each", async () => {
	const { ctx, agent, endpoint, recordOf } = await receptionist();
	const { calls } = await reportEvent(ctx, agent.id, report);
	expect(calls.map(({ name, status }) => [name, status])).toEqual([
		["number", "succeeded"],
		["find", "failed"],
		["note", "succeeded"],
	]);
	expect(calls[0]?.output).toEqual({ phone_number: "+15550199" });
	const seen = await endpoint.seen();
	expect(seen.map(({ path }) => path.split("/").slice(3).join("/"))).toEqual(["status/404", "echo"]);
	expect(JSON.parse(seen[0]?.body ?? "")).toEqual({ caller: "Ada" });
	for (const { id } of calls)
		expect(await recordOf(id)).toMatchObject({ event: "call_start", arguments: {} });
});

test("a lookup that succeeds starts nothing that waits for its failure", async () => {
	const { ctx, agent } = await receptionist("echo");
	const { calls } = await reportEvent(ctx, agent.id, report);
	expect(calls.map(({ name }) => name)).toEqual(["number", "find"]);
});

test("a directive of an event is answered as of a call", async () => {
	const { ctx, agent } = await receptionist();
	const { calls } = await reportEvent(ctx, agent.id, { ...report, event: "call_end" });
	expect(calls.map(({ directive }) => directive)).toEqual([{ type: "end_call", wait_for_completion: true }]);
});

test("an event that no trigger names runs nothing", async () => {
	const { ctx, agent } = await receptionist();
	expect(await reportEvent(ctx, agent.id, { ...report, event: "first_user_message" })).toEqual({ calls: [] });
});

test("a tool that the time of the event has not reached ends as timed_out and does not run", async () => {
	const { ctx, agent, endpoint } = await receptionist("hang");
	const { calls } = await reportEvent(ctx, agent.id, { ...report, deadline_ms: 1_000 });
	expect(calls.map(({ name, status }) => [name, status])).toEqual([
		["number", "succeeded"],
		["find", "timed_out"],
		["note", "timed_out"],
	]);
	expect(calls[2]?.error?.message).toMatch(/was not started$/);
	expect(await endpoint.seen()).toHaveLength(1);
});

test("a key must name the session, and an unknown session is not found", async () => {
	const { client, path } = await receptionist();
	const send = (body: object) =>
		client.call<EventCalls>("POST", `${path}/events`, { event: "call_start", ...body });
	const { status, body } = await send({});
	expect([status, body.error.fields]).toEqual([
		422,
		[{ path: "session_id", message: "Is required with a key" }],
	]);
	expect((await send({ session_id: crypto.randomUUID() })).status).toBe(404);
});

test("a cycle of triggers is refused when the agent is saved", async () => {
	const client = await createClient();
	const tool = await namedTool(client, "now", "current_datetime", { config: { timezone: "UTC" } });
	const [a, b] = [toolRef(tool), toolRef(tool)];
	const after = (source_attachment_id: string) => system([{ event: "tool_succeeded", source_attachment_id }]);
	const { status, body } = await client.call<object>("POST", "/v1/agents", {
		name: "A",
		tool_refs: [
			{ ...a, ...after(b.attachment_id) },
			{ ...b, ...after(a.attachment_id) },
		],
	});
	expect([status, body.error.fields?.[0]?.message]).toEqual([
		422,
		"The chain of triggers leads back to itself",
	]);
});

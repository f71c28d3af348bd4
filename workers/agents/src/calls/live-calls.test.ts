import { env } from "cloudflare:workers";
import type { Agent } from "@parley/contracts/agents";
import type { Call } from "@parley/contracts/calls";
import { agentVersions } from "@parley/db/agent-versions";
import { openDatabase } from "@parley/db/client";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { createClient } from "../../test/client.ts";
import { findCallsHoldingServer, noCallHoldsServer } from "./live-calls.ts";

test("a call holds the servers of the version that it began with, until it ends", async () => {
	const { call, ctx } = await createClient();
	const serverId = crypto.randomUUID();
	const { body: agent } = await call<Agent>("POST", "/v1/agents", { name: "A" });
	const path = `/v1/agents/${agent.id}`;
	await openDatabase(env.DB)
		.update(agentVersions)
		.set({ config: sql`json_set(config, '$.mcp_refs[0]', json_object('server_id', ${serverId}))` })
		.where(eq(agentVersions.agentId, agent.id));
	const { body: first } = await call<Call>("POST", `${path}/calls`, { direction: "inbound" });
	await call("PATCH", path, { greeting: "Now without the server" });
	const { body: second } = await call<Call>("POST", `${path}/calls`, { direction: "inbound" });
	expect(second.agent_version).toBe(2);
	const isFree = async () =>
		(
			await ctx()
				.db.select({ free: noCallHoldsServer(ctx(), serverId) })
				.from(sql`(select 1)`)
		)[0]?.free;
	expect(await findCallsHoldingServer(ctx(), serverId)).toEqual([
		{ callId: first.id, agentId: agent.id, agentName: "A" },
	]);
	expect(await isFree()).toBe(0);
	await call("PATCH", `${path}/calls/${first.id}`, { state: "failed" });
	expect(await findCallsHoldingServer(ctx(), serverId)).toEqual([]);
	expect(await isFree()).toBe(1);
	expect(await findCallsHoldingServer((await createClient()).ctx(), serverId)).toEqual([]);
});

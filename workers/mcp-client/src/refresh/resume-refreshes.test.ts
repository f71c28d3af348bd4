import { createScheduledController, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { McpServer } from "@parley/contracts/agents/mcp-servers";
import { createPeer } from "@parley/testing/mcp-peers/create-peer";
import { expect, test } from "vitest";
import { connect, newOrganisation, readServer, registerServer, useTool } from "../../test/servers.ts";
import { sessionOf } from "../mcp-session.ts";
import worker from "../worker.ts";

const MINUTE = 60_000;

const session = ({ organisation_id, id }: McpServer) =>
	sessionOf(env, { organisationId: organisation_id, serverId: id });
const alarmOf = (server: McpServer) =>
	runInDurableObject(session(server), (_, state) => state.storage.getAlarm());
const resume = () => worker.scheduled(createScheduledController(), env);

async function dueSince(server: McpServer, ms: number): Promise<void> {
	await env.DB.prepare("update mcp_servers set next_refresh_at = ? where id = ?")
		.bind(new Date(Date.now() - ms).toISOString(), server.id)
		.run();
}

/** Creates a server in use whose session has lost its state. */
async function serverWithoutSession() {
	const [organisation, peer] = [await newOrganisation(), createPeer()];
	await peer.plan({ tools: [{ name: "a", inputSchema: { type: "object" } }] });
	const server = await registerServer(organisation, peer.official("stateless"));
	const { capabilities } = await connect(organisation, server);
	await useTool(organisation, server, capabilities.tools[0]!);
	await runInDurableObject(session(server), async (_, { storage }) => {
		await storage.deleteAlarm();
		await storage.deleteAll();
	});
	return { organisation, server };
}

test("an overdue server whose session has lost its alarm is refreshed again", async () => {
	const { organisation, server } = await serverWithoutSession();
	await dueSince(server, 11 * MINUTE);
	await resume();
	const alarm = await alarmOf(server);
	expect(alarm).toBeGreaterThan(Date.now());
	expect(alarm).toBeLessThan(Date.now() + 6 * MINUTE);
	expect(Date.parse((await readServer(organisation, server)).next_refresh_at!)).toBe(alarm);
});

test("a server that is due only now or was deleted is not resumed", async () => {
	const { server: due } = await serverWithoutSession();
	await dueSince(due, MINUTE);
	const { server: deleted } = await serverWithoutSession();
	await dueSince(deleted, 11 * MINUTE);
	await env.DB.prepare("update mcp_servers set deleted_at = 'now' where id = ?").bind(deleted.id).run();
	await resume();
	expect(await alarmOf(due)).toBeNull();
	expect(await alarmOf(deleted)).toBeNull();
});

test("a session that still has its alarm keeps it", async () => {
	const { server } = await serverWithoutSession();
	const alarm = Date.now() + 3 * MINUTE;
	await runInDurableObject(session(server), (_, { storage }) => storage.setAlarm(alarm));
	await dueSince(server, 11 * MINUTE);
	await resume();
	expect(await alarmOf(server)).toBe(alarm);
});

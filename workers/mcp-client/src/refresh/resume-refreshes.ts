import { logError } from "@parley/context/log";
import { mcpServers } from "@parley/db/agents/mcp-servers";
import { openDatabase } from "@parley/db/client";
import { and, asc, isNull, lt } from "drizzle-orm";
import { sessionOf } from "../mcp-session.ts";

const OVERDUE_MS = 10 * 60_000;
const MAX_SERVERS = 200;
const SERVERS_AT_ONCE = 20;

/**
 * Schedules refreshes again for servers of every organisation whose refresh is overdue by ten minutes. Their session has
 * lost its alarm, or it was an object of another worker before. A session that still has its alarm is not changed.
 */
export async function resumeRefreshes(env: Env, now: Date): Promise<void> {
	const overdue = await openDatabase(env.DB)
		.select({ organisationId: mcpServers.organisationId, serverId: mcpServers.id })
		.from(mcpServers)
		.where(
			and(
				isNull(mcpServers.deletedAt),
				lt(mcpServers.nextRefreshAt, new Date(now.getTime() - OVERDUE_MS).toISOString()),
			),
		)
		.orderBy(asc(mcpServers.nextRefreshAt))
		.limit(MAX_SERVERS);
	for (let at = 0; at < overdue.length; at += SERVERS_AT_ONCE)
		await Promise.all(
			overdue.slice(at, at + SERVERS_AT_ONCE).map((ref) =>
				sessionOf(env, ref)
					.watch(ref)
					.catch((error) => logError("MCP_REFRESH_NOT_RESUMED", error, { server_id: ref.serverId })),
			),
		);
}

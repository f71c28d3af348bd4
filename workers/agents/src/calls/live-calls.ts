import { agentVersions } from "@parley/db/agent-versions";
import { agents } from "@parley/db/agents";
import { calls } from "@parley/db/calls";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/**
 * The calls that have not ended and whose agent, in the version that they began with, holds a tool of the server. The
 * agent may have let go of it since, or be gone.
 */
export const findCallsHoldingServer = (ctx: Ctx, serverId: string) =>
	ctx.db
		.select({ callId: calls.id, agentId: agents.id, agentName: agents.name })
		.from(calls)
		.innerJoin(agents, and(eq(agents.organisationId, calls.organisationId), eq(agents.id, calls.agentId)))
		.innerJoin(agentVersions, isItsVersion)
		.where(holdsServer(ctx, serverId));

/** The condition that there is no such call, for an assertion in the batch that deletes the server. */
export const noCallHoldsServer = (ctx: Ctx, serverId: string): SQL => sql`not exists (
	select 1 from ${calls} join ${agentVersions} on ${isItsVersion} where ${holdsServer(ctx, serverId)})`;

const isItsVersion = sql`${agentVersions.organisationId} = ${calls.organisationId}
	and ${agentVersions.agentId} = ${calls.agentId} and ${agentVersions.versionNumber} = ${calls.agentVersion}`;

const holdsServer = (ctx: Ctx, serverId: string) =>
	and(
		eq(calls.organisationId, ctx.actor.organisation.id),
		isNull(calls.endedAt),
		sql`exists (select 1 from json_each(${agentVersions.config}, '$.mcp_refs')
			where value ->> 'server_id' = ${serverId})`,
	);

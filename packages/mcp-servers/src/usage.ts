import { agentAttachments, ofAgent } from "@parley/db/agents/agent-attachments";
import { agentVersions } from "@parley/db/agents/agent-versions";
import { agents } from "@parley/db/agents/agents";
import { calls } from "@parley/db/agents/calls";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { OrganisationContext } from "./organisation-context.ts";

/** Matches attachments of the server's tools by active agents. */
export const attachedToActiveAgent = (ctx: OrganisationContext, serverId: string): SQL | undefined =>
	and(
		eq(agentAttachments.organisationId, ctx.actor.organisation.id),
		eq(agentAttachments.serverId, serverId),
		eq(agents.status, "active"),
		isNull(agents.deletedAt),
	);

/**
 * Returns the `from` clause that selects live calls which use the server. A call keeps the agent version that it started
 * with, even if the agent changes later.
 */
export const fromLiveCallsUsing = (ctx: OrganisationContext, serverId: string): SQL => sql`
	from ${calls} join ${agentVersions}
		on ${agentVersions.organisationId} = ${calls.organisationId} and ${agentVersions.agentId} = ${calls.agentId}
		and ${agentVersions.versionNumber} = ${calls.agentVersion},
		json_each(${agentVersions.config}, '$.mcp_refs') ref
	where ${calls.organisationId} = ${ctx.actor.organisation.id} and ${calls.endedAt} is null
		and ref.value ->> 'server_id' = ${serverId}`;

/** Matches if an active agent, or a call that has not ended, references the server. */
export const isReferenced = (ctx: OrganisationContext, serverId: string): SQL => sql`(
	exists (select 1 from ${agentAttachments} join ${agents} on ${ofAgent} where ${attachedToActiveAgent(ctx, serverId)})
	or exists (select 1 ${fromLiveCallsUsing(ctx, serverId)}))`;

import type { Blocker } from "@parley/contracts/api-error";
import { agentAttachments, ofAgent } from "@parley/db/agent-attachments";
import { agentVersions } from "@parley/db/agent-versions";
import { agents } from "@parley/db/agents";
import { calls } from "@parley/db/calls";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

const attachedByActive = (ctx: Ctx, serverId: string): SQL | undefined =>
	and(
		eq(agentAttachments.organisationId, ctx.actor.organisation.id),
		eq(agentAttachments.serverId, serverId),
		eq(agents.status, "active"),
		isNull(agents.deletedAt),
	);

/** Calls keep the agent version that they began with, whatever has become of the agent since. */
const heldByLiveCall = (ctx: Ctx, serverId: string): SQL => sql`
	from ${calls} join ${agentVersions}
		on ${agentVersions.organisationId} = ${calls.organisationId} and ${agentVersions.agentId} = ${calls.agentId}
		and ${agentVersions.versionNumber} = ${calls.agentVersion},
		json_each(${agentVersions.config}, '$.mcp_refs') ref
	where ${calls.organisationId} = ${ctx.actor.organisation.id} and ${calls.endedAt} is null
		and ref.value ->> 'server_id' = ${serverId}`;

/** The condition that an active agent or a call that has not ended references the server. */
export const isReferenced = (ctx: Ctx, serverId: string): SQL => sql`(
	exists (select 1 from ${agentAttachments} join ${agents} on ${ofAgent} where ${attachedByActive(ctx, serverId)})
	or exists (select 1 ${heldByLiveCall(ctx, serverId)}))`;

/** What keeps a server from being deleted. */
export async function listBlockers(ctx: Ctx, serverId: string): Promise<Blocker[]> {
	const attached = await ctx.db
		.select({ id: agents.id, name: agents.name, attachmentId: agentAttachments.attachmentId })
		.from(agentAttachments)
		.innerJoin(agents, ofAgent)
		.where(attachedByActive(ctx, serverId))
		.orderBy(agents.name, agentAttachments.attachmentId);
	const held = await ctx.db.all<{ id: string; name: string; attachmentId: string }>(sql`
		select ${calls.id} as id, ${agentVersions.config} ->> '$.name' as name,
			ref.value ->> 'attachment_id' as attachmentId
		${heldByLiveCall(ctx, serverId)} order by ${calls.id}`);
	const toBlocker =
		(resource_type: string) =>
		({ id, name, attachmentId }: { id: string; name: string; attachmentId: string }): Blocker => ({
			...{ resource_type, resource_id: id, resource_name: name },
			location: `mcp_refs.${attachmentId}`,
		});
	return [...attached.map(toBlocker("agent")), ...held.map(toBlocker("call"))];
}

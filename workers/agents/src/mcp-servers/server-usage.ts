import type { Blocker } from "@parley/contracts/shared/api-error";
import { agentAttachments, ofAgent } from "@parley/db/agents/agent-attachments";
import { agentVersions } from "@parley/db/agents/agent-versions";
import { agents } from "@parley/db/agents/agents";
import { calls } from "@parley/db/agents/calls";
import { attachedToActiveAgent, fromLiveCallsUsing } from "@parley/mcp-servers/usage";
import { sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Lists the active agents and live calls that block the deletion of a server. */
export async function listBlockers(ctx: Ctx, serverId: string): Promise<Blocker[]> {
	const attached = await ctx.db
		.select({ id: agents.id, name: agents.name, attachmentId: agentAttachments.attachmentId })
		.from(agentAttachments)
		.innerJoin(agents, ofAgent)
		.where(attachedToActiveAgent(ctx, serverId))
		.orderBy(agents.name, agentAttachments.attachmentId);
	const inCalls = await ctx.db.all<{ id: string; name: string; attachmentId: string }>(sql`
		select ${calls.id} as id, ${agentVersions.config} ->> '$.name' as name,
			ref.value ->> 'attachment_id' as attachmentId
		${fromLiveCallsUsing(ctx, serverId)} order by ${calls.id}`);
	const toBlocker =
		(resource_type: string) =>
		({ id, name, attachmentId }: { id: string; name: string; attachmentId: string }): Blocker => ({
			...{ resource_type, resource_id: id, resource_name: name },
			location: `mcp_refs.${attachmentId}`,
		});
	return [...attached.map(toBlocker("agent")), ...inCalls.map(toBlocker("call"))];
}

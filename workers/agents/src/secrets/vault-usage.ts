import type { VaultReference } from "@parley/contracts/agents/secrets";
import { agentAttachments, ofAgent } from "@parley/db/agents/agent-attachments";
import { agentVersions } from "@parley/db/agents/agent-versions";
import { agents } from "@parley/db/agents/agents";
import { mcpServers } from "@parley/db/agents/mcp-servers";
import { ofTool, toolVersions } from "@parley/db/agents/tool-versions";
import { tools } from "@parley/db/agents/tools";
import { type Classification, vaultReferences } from "@parley/db/agents/vault";
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { CURATED_TOOLS, findCurated } from "../tools/curated-tools.ts";
import { toolReferences } from "../tools/tool-content.ts";
import { assertCanReadVault, readEntry } from "./vault-entry.ts";

/** Lists every use of an entry. @throws ApiError FORBIDDEN, RESOURCE_NOT_FOUND */
export async function getReferences(ctx: Ctx, name: string): Promise<VaultReference[]> {
	assertCanReadVault(ctx);
	await readEntry(ctx, name);
	return listReferences(ctx, name);
}

export async function listReferences(ctx: Ctx, name: string): Promise<VaultReference[]> {
	const [stored, curated] = await ctx.db.batch([selectIndexedUses(ctx, name), selectCuratedUses(ctx, name)]);
	return [
		...stored.map((row) =>
			toReference({ ...row, resource_name: row.resource_name ?? "" }, row.classification),
		),
		...curated.flatMap((row) => curatedReferences(row.toolId ?? "", name, row.classification)),
	];
}

/** Matches if a live resource uses an entry, for the assertion of its deletion. */
export const isInUse = (ctx: Ctx, name: string): SQL => sql`(
	exists (select 1 from ${vaultReferences} where ${usesOf(ctx, name)} and ${classification} <> 'historical')
	or exists (select 1 from ${agentAttachments} where ${usesThroughCuratedTool(ctx, name)}))`;

/** Selects the ids of live agents that use an entry in their own text or through an attached tool or MCP server. */
export const agentsUsing = (ctx: Ctx, name: string): SQL => sql`
	select ${vaultReferences.holderId} from ${vaultReferences}
		where ${usesOf(ctx, name)} and ${vaultReferences.holderType} = 'agent'
	union select ${agentAttachments.agentId} from ${vaultReferences}
		join ${toolVersions} on ${toolVersions.organisationId} = ${vaultReferences.organisationId}
			and ${toolVersions.id} = ${vaultReferences.holderId}
		join ${agentAttachments} on ${pinnedTo}
		where ${usesOf(ctx, name)} and ${vaultReferences.holderType} = 'tool_version'
	union select ${agentAttachments.agentId} from ${vaultReferences}
		join ${agentAttachments} on ${agentAttachments.organisationId} = ${vaultReferences.organisationId}
			and ${agentAttachments.serverId} = ${vaultReferences.holderId}
		where ${usesOf(ctx, name)} and ${vaultReferences.holderType} = 'mcp_server'
	union select ${agentAttachments.agentId} from ${agentAttachments} where ${usesThroughCuratedTool(ctx, name)}`;

const usesOf = (ctx: Ctx, name: string) =>
	and(eq(vaultReferences.organisationId, ctx.actor.organisation.id), eq(vaultReferences.entryName, name));

const pinnedTo = and(
	eq(agentAttachments.organisationId, toolVersions.organisationId),
	eq(agentAttachments.toolId, toolVersions.toolId),
	eq(agentAttachments.version, toolVersions.versionNumber),
);

/** Matches attachments of curated tools that use an entry. Curated tools are constants, so they are not in the index. */
const usesThroughCuratedTool = (ctx: Ctx, name: string) =>
	and(
		eq(agentAttachments.organisationId, ctx.actor.organisation.id),
		inArray(
			agentAttachments.toolId,
			CURATED_TOOLS.filter(({ id }) => curatedLocations(id, name).length > 0).map(({ id }) => id),
		),
	);

/** Strongest classification among the agents of a group. `min` works because `active` sorts before `draft`. */
const strongestClassification = sql<Classification>`min(case ${agents.status} when 'active' then 'active' else 'draft' end)`;

/** Classification of a use. A tool version counts as live while its tool exists and a live agent is pinned to it. */
const classification = sql<Classification>`case
	when ${vaultReferences.classification} <> 'historical' then ${vaultReferences.classification}
	when ${vaultReferences.holderType} <> 'tool_version' then 'historical'
	else coalesce((
		select ${strongestClassification} from ${toolVersions} join ${agentAttachments} on ${pinnedTo}
			join ${agents} on ${ofAgent} join ${tools} on ${ofTool} and ${tools.deletedAt} is null
		where ${toolVersions.organisationId} = ${vaultReferences.organisationId}
			and ${toolVersions.id} = ${vaultReferences.holderId}), 'historical') end`;

const holderName = sql<string | null>`case ${vaultReferences.holderType}
	when 'agent' then (select ${agents.name} from ${agents}
		where ${agents.organisationId} = ${vaultReferences.organisationId} and ${agents.id} = ${vaultReferences.holderId})
	when 'agent_version' then (select ${agents.name} from ${agentVersions} join ${agents}
		on ${agents.organisationId} = ${agentVersions.organisationId} and ${agents.id} = ${agentVersions.agentId}
		where ${agentVersions.organisationId} = ${vaultReferences.organisationId}
			and ${agentVersions.id} = ${vaultReferences.holderId})
	when 'tool' then (select ${tools.name} from ${tools}
		where ${tools.organisationId} = ${vaultReferences.organisationId} and ${tools.id} = ${vaultReferences.holderId})
	when 'tool_version' then (select ${tools.name} from ${toolVersions} join ${tools} on ${ofTool}
		where ${toolVersions.organisationId} = ${vaultReferences.organisationId}
			and ${toolVersions.id} = ${vaultReferences.holderId})
	when 'mcp_server' then (select ${mcpServers.name} from ${mcpServers}
		where ${mcpServers.organisationId} = ${vaultReferences.organisationId}
			and ${mcpServers.id} = ${vaultReferences.holderId})
	end`;

const selectIndexedUses = (ctx: Ctx, name: string) =>
	ctx.db
		.select({
			resource_type: vaultReferences.holderType,
			resource_id: vaultReferences.holderId,
			resource_name: sql<string | null>`${holderName}`,
			location: vaultReferences.location,
			classification: sql<Classification>`${classification}`,
		})
		.from(vaultReferences)
		.where(usesOf(ctx, name))
		.orderBy(vaultReferences.holderType, vaultReferences.holderId, vaultReferences.location);

const selectCuratedUses = (ctx: Ctx, name: string) =>
	ctx.db
		.select({ toolId: agentAttachments.toolId, classification: strongestClassification })
		.from(agentAttachments)
		.innerJoin(agents, ofAgent)
		.where(and(usesThroughCuratedTool(ctx, name), isNull(agents.deletedAt)))
		.groupBy(agentAttachments.toolId);

function curatedLocations(toolId: string, name: string): string[] {
	const tool = findCurated(toolId);
	const references = tool ? toolReferences("tool_version", tool) : [];
	return references.filter((reference) => reference.name === name).map(({ location }) => location);
}

const curatedReferences = (toolId: string, name: string, state: Classification): VaultReference[] =>
	curatedLocations(toolId, name).map((location) => {
		const { versionId = "", name: resource_name = "" } = findCurated(toolId) ?? {};
		return toReference(
			{ resource_type: "tool_version", resource_id: versionId, resource_name, location },
			state,
		);
	});

const toReference = (
	place: Omit<VaultReference, "classification" | "blocks_delete">,
	state: Classification,
): VaultReference => ({
	resource_type: place.resource_type,
	resource_id: place.resource_id,
	resource_name: place.resource_name,
	location: place.location,
	classification: state,
	blocks_delete: state !== "historical",
});

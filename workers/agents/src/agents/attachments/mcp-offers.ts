import type { McpRef } from "@parley/contracts/agents/attachments";
import type { CapabilityStatus, DiscoveredTool } from "@parley/contracts/agents/mcp-servers";
import { mcpServers } from "@parley/db/agents/mcp-servers";
import { offersPin, readCapabilities } from "@parley/mcp-servers/catalog";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";
import { mcpClientOf } from "../../mcp-servers/mcp-client.ts";

/** Health of a server, and the tools of its last good list by name. */
export type McpOffer = { status: CapabilityStatus; tools: Map<string, DiscoveredTool> };

/** Returns the offer of each referenced server that exists, by the server's id. */
export async function findMcpOffers(ctx: Ctx, refs: readonly McpRef[]): Promise<Map<string, McpOffer>> {
	if (refs.length === 0) return new Map();
	const servers = await ctx.db
		.select({ id: mcpServers.id, status: mcpServers.capabilityStatus })
		.from(mcpServers)
		.where(
			and(
				eq(mcpServers.organisationId, ctx.actor.organisation.id),
				isNull(mcpServers.deletedAt),
				sql`${mcpServers.id} in (select value ->> 'server_id' from json_each(${JSON.stringify(refs)}))`,
			),
		);
	const offers = servers.map(async ({ id, status }) => {
		const { tools } = await readCapabilities(ctx, id);
		return [id, { status, tools: new Map(tools.map((tool) => [tool.name, tool])) }] as const;
	});
	return new Map(await Promise.all(offers));
}

/** Matches if every tool is offered exactly as observed, for an assertion in the batch that attaches them. */
export const mcpToolsOffered = (ctx: Ctx, refs: readonly McpRef[]): SQL => sql`not exists (
	select 1 from json_each(${JSON.stringify(refs)}) pin where not ${offersPin(ctx)} or not exists (
		select 1 from ${mcpServers} where ${isLive(ctx)} and ${mcpServers.id} = pin.value ->> 'server_id'
			and ${mcpServers.capabilityStatus} = 'healthy'))`;

/** Matches if each of these servers exists in the organisation and is not deleted. */
export const mcpServersLive = (ctx: Ctx, refs: readonly McpRef[]): SQL => sql`not exists (
	select 1 from json_each(${JSON.stringify(refs)}) ref where not exists (
		select 1 from ${mcpServers} where ${isLive(ctx)} and ${mcpServers.id} = ref.value ->> 'server_id'))`;

/** Starts the periodic refreshes of the referenced servers. */
export function watchServers(ctx: Ctx, refs: readonly McpRef[]): void {
	for (const serverId of new Set(refs.map(({ server_id }) => server_id)))
		ctx.defer(mcpClientOf(ctx).watch({ organisationId: ctx.actor.organisation.id, serverId }));
}

const isLive = (ctx: Ctx): SQL | undefined =>
	and(eq(mcpServers.organisationId, ctx.actor.organisation.id), isNull(mcpServers.deletedAt));

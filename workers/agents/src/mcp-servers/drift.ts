import type { McpDrift, McpRef } from "@parley/contracts/agents/attachments";
import type { DiscoveredTool } from "@parley/contracts/agents/mcp-servers";
import { mcpPinnedTools } from "@parley/db/agents/mcp-servers";
import { offersPin, readCapabilities, withAllMembers } from "@parley/mcp-servers/catalog";
import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Finds the attachments whose MCP tool has changed or is gone. Returns the pinned and the current definition by attachment id. */
export async function findDrifts(ctx: Ctx, refs: readonly McpRef[]): Promise<Map<string, McpDrift>> {
	if (refs.length === 0) return new Map();
	const moved = await ctx.db.all<{ attachmentId: string }>(sql`
		select pin.value ->> 'attachment_id' as attachmentId from json_each(${JSON.stringify(refs)}) pin
		where not ${offersPin(ctx)}`);
	if (moved.length === 0) return new Map();
	const ids = new Set(moved.map(({ attachmentId }) => attachmentId));
	const drifted = refs.filter(({ attachment_id }) => ids.has(attachment_id));
	const [pinned, current] = await Promise.all([readPinned(ctx, drifted), readCurrent(ctx, drifted)]);
	return new Map(
		drifted.map((ref) => [
			ref.attachment_id,
			{
				observed: pinned.get(`${ref.server_id} ${ref.observed_schema_hash}`) ?? null,
				current: current.get(ref.server_id)?.find(({ name }) => name === ref.tool_name) ?? null,
			},
		]),
	);
}

async function readPinned(ctx: Ctx, refs: readonly McpRef[]): Promise<Map<string, DiscoveredTool>> {
	const rows = await ctx.db
		.select()
		.from(mcpPinnedTools)
		.where(
			and(
				eq(mcpPinnedTools.organisationId, ctx.actor.organisation.id),
				sql`(${mcpPinnedTools.serverId}, ${mcpPinnedTools.schemaHash}) in (
					select value ->> 'server_id', value ->> 'observed_schema_hash' from json_each(${JSON.stringify(refs)}))`,
			),
		);
	return new Map(
		rows.map(({ serverId, schemaHash, tool }) => [`${serverId} ${schemaHash}`, withAllMembers(tool)]),
	);
}

async function readCurrent(ctx: Ctx, refs: readonly McpRef[]): Promise<Map<string, DiscoveredTool[]>> {
	const servers = [...new Set(refs.map(({ server_id }) => server_id))];
	const lists = servers.map(async (id) => [id, (await readCapabilities(ctx, id)).tools] as const);
	return new Map(await Promise.all(lists));
}

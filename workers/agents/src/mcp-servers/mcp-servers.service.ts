import type {
	CapabilityChangeQuery,
	McpServer,
	McpServerListItem,
	McpServerQuery,
} from "@parley/contracts/agents/mcp-servers";
import { notFound } from "@parley/contracts/shared/api-error";
import { type ArrayPage, pageMeta } from "@parley/contracts/shared/common";
import { mcpCatalogChanges, mcpServers } from "@parley/db/agents/mcp-servers";
import { countMatching } from "@parley/db/count-matching";
import { readCapabilities } from "@parley/mcp-servers/catalog";
import { listColumns, liveServer, type ServerRow, toMcpServer } from "@parley/mcp-servers/server-row";
import { and, asc, count, desc, eq, isNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Returns the row of a live server. @throws ApiError RESOURCE_NOT_FOUND, also for another organisation's server. */
export async function readServer(ctx: Ctx, id: string): Promise<ServerRow> {
	const [row] = await ctx.db.select().from(mcpServers).where(liveServer(ctx, id));
	if (!row) throw notFound("MCP server", id);
	return row;
}

/** Returns a server with its tools. @throws ApiError RESOURCE_NOT_FOUND */
export const getMcpServer = async (ctx: Ctx, id: string): Promise<McpServer> =>
	withCapabilities(ctx, await readServer(ctx, id));

/** Builds the wire form of a server, with its last good tool list. */
export const withCapabilities = async (ctx: Ctx, row: ServerRow): Promise<McpServer> =>
	toMcpServer(row, await readCapabilities(ctx, row.id));

/** Lists the live MCP servers of an organisation, by name. */
export async function listMcpServers(ctx: Ctx, query: McpServerQuery): Promise<ArrayPage<McpServerListItem>> {
	const matching = and(
		eq(mcpServers.organisationId, ctx.actor.organisation.id),
		isNull(mcpServers.deletedAt),
		query.name && sql`${mcpServers.name} in (select value from json_each(${JSON.stringify(query.name)}))`,
	);
	const [items, [counted]] = await ctx.db.batch([
		ctx.db
			.select(listColumns)
			.from(mcpServers)
			.where(matching)
			.orderBy(asc(mcpServers.name), asc(mcpServers.id))
			.limit(query.limit)
			.offset(query.offset),
		countMatching(ctx.db, mcpServers, matching),
	]);
	return { items, total: counted?.total ?? 0 };
}

/** Lists the changes of a server's tool list, newest first. @throws ApiError RESOURCE_NOT_FOUND */
export async function listCapabilityChanges(ctx: Ctx, id: string, query: CapabilityChangeQuery) {
	await readServer(ctx, id);
	const ofServer = and(
		eq(mcpCatalogChanges.organisationId, ctx.actor.organisation.id),
		eq(mcpCatalogChanges.serverId, id),
	);
	const [rows, [counted]] = await ctx.db.batch([
		ctx.db
			.select()
			.from(mcpCatalogChanges)
			.where(ofServer)
			.orderBy(desc(mcpCatalogChanges.capabilityRevision))
			.limit(query.page_size)
			.offset((query.page - 1) * query.page_size),
		ctx.db.select({ total: count() }).from(mcpCatalogChanges).where(ofServer),
	]);
	const items = rows.map(({ capabilityRevision, observedAt, changes }) => ({
		capability_revision: capabilityRevision,
		observed_at: observedAt,
		diffs: [],
		...changes,
	}));
	return { items, meta: pageMeta(query.page, query.page_size, counted?.total ?? 0) };
}

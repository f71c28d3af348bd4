import type { Tool, ToolListItem, ToolQuery, ToolUsage } from "@parley/contracts/agents/tools";
import type { ArrayPage } from "@parley/contracts/shared/common";
import { agentAttachments, ofAgent } from "@parley/db/agents/agent-attachments";
import { agents } from "@parley/db/agents/agents";
import { tools } from "@parley/db/agents/tools";
import { countMatching } from "@parley/db/count-matching";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { CURATED_TOOLS, findCurated } from "./curated-tools.ts";
import { readTool } from "./find-tool.ts";
import { listColumns, toCuratedListItem, toCuratedTool, toListItem, toTool } from "./tool-row.ts";

/** Returns a tool of the organisation, or a curated one. @throws ApiError RESOURCE_NOT_FOUND */
export async function getTool(ctx: Ctx, toolId: string): Promise<Tool> {
	const curated = findCurated(toolId);
	return curated ? toCuratedTool(ctx, curated) : toTool(await readTool(ctx, toolId));
}

/** Lists the organisation's tools and the curated ones in one order, by name then id. */
export async function listTools(
	ctx: Ctx,
	{ limit, offset, name }: ToolQuery,
): Promise<ArrayPage<ToolListItem>> {
	const curated = CURATED_TOOLS.filter((tool) => name === undefined || name.includes(tool.name));
	// Wherever the curated tools are between them, the own tools of the page are among these.
	const start = Math.max(0, offset - curated.length);
	const matching = and(
		eq(tools.organisationId, ctx.actor.organisation.id),
		isNull(tools.deletedAt),
		name && sql`${tools.name} in (select value from json_each(${JSON.stringify(name)}))`,
	);
	const [rows, [counted]] = await ctx.db.batch([
		ctx.db
			.select(listColumns)
			.from(tools)
			.where(matching)
			.orderBy(asc(tools.name), asc(tools.id))
			.limit(offset + limit - start)
			.offset(start),
		countMatching(ctx.db, tools, matching),
	]);
	const items = mergeWindow({
		all: curated.map(toCuratedListItem),
		part: rows.map((row) => toListItem(ctx, row)),
		...{ start, offset, limit },
	});
	return { items, total: curated.length + (counted?.total ?? 0) };
}

/** Lists the attachments of a tool to live agents. @throws ApiError RESOURCE_NOT_FOUND */
export async function getToolUsage(ctx: Ctx, toolId: string): Promise<ToolUsage[]> {
	if (!findCurated(toolId)) await readTool(ctx, toolId);
	const rows = await ctx.db
		.select({
			agentId: agents.id,
			agentName: agents.name,
			agentStatus: agents.status,
			attachmentId: agentAttachments.attachmentId,
			version: agentAttachments.version,
		})
		.from(agentAttachments)
		.innerJoin(agents, ofAgent)
		.where(
			and(
				eq(agentAttachments.organisationId, ctx.actor.organisation.id),
				eq(agentAttachments.toolId, toolId),
				isNull(agents.deletedAt),
			),
		)
		.orderBy(asc(agents.name), asc(agentAttachments.attachmentId));
	return rows.map((row) => ({
		agent_id: row.agentId,
		agent_name: row.agentName,
		agent_status: row.agentStatus,
		attachment_id: row.attachmentId,
		version_number: row.version ?? 0,
	}));
}

type Named = { name: string; id: string };

type Window<T> = {
	/** The first list, whole, ordered by name then id. */
	all: readonly T[];
	/** Items of the second list from index `start` on, in the same order. */
	part: readonly T[];
	start: number;
	offset: number;
	limit: number;
};

/**
 * Merges two ordered lists and returns the items from `offset` to `offset + limit`. Of the second list, only the items from
 * `offset - all.length` to `offset + limit` need to be known.
 */
export function mergeWindow<T extends Named>({ all, part, start, offset, limit }: Window<T>): T[] {
	const isBefore = (a: T, b: T): boolean => a.name < b.name || (a.name === b.name && a.id < b.id);
	const countBefore = (list: readonly T[], item: T) => list.filter((other) => isBefore(other, item)).length;
	// For an item of `all` before the known part, the rank comes out too high, but stays below `offset`.
	const ranked = [
		...all.map((item, index) => ({ item, rank: index + start + countBefore(part, item) })),
		...part.map((item, index) => ({ item, rank: start + index + countBefore(all, item) })),
	];
	return ranked
		.filter(({ rank }) => rank >= offset && rank < offset + limit)
		.toSorted((a, b) => a.rank - b.rank)
		.map(({ item }) => item);
}

import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { tools } from "@parley/db/agents/tools";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { findCurated } from "./curated-tools.ts";
import { selectTool, type ToolRow, toRow } from "./tool-row.ts";

/** Reads a tool that the organisation owns. @throws ApiError RESOURCE_NOT_FOUND */
export async function readTool(ctx: Ctx, toolId: string): Promise<ToolRow> {
	const [row] = await selectTool(ctx, toolId);
	if (!row) throw notFound("Tool", toolId);
	return toRow(ctx, row);
}

/** Reads a tool for a verb that curated tools refuse. @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY */
export async function readOwnTool(ctx: Ctx, toolId: string): Promise<ToolRow> {
	assertOwn(toolId);
	return readTool(ctx, toolId);
}

/** Returns the ids that are no live tool: never created, deleted, or another organisation's. */
export async function findMissingTools(ctx: Ctx, ids: readonly string[]): Promise<Set<string>> {
	const own = ids.filter((id) => !findCurated(id));
	if (own.length === 0) return new Set();
	const rows = await ctx.db
		.select({ id: tools.id })
		.from(tools)
		.where(
			and(
				eq(tools.organisationId, ctx.actor.organisation.id),
				isNull(tools.deletedAt),
				sql`${tools.id} in (select value from json_each(${JSON.stringify(own)}))`,
			),
		);
	const existing = new Set(rows.map(({ id }) => id));
	return new Set(own.filter((id) => !existing.has(id)));
}

/** @throws ApiError TOOL_READ_ONLY for a curated tool. */
export function assertOwn(toolId: string): void {
	if (findCurated(toolId))
		throw new ApiError("TOOL_READ_ONLY", "Curated tools are read-only: duplicate it first");
}

import type { ToolRun } from "@parley/contracts/agents/tool-runs";
import type { RunPageQuery } from "@parley/contracts/agents/tools";
import { type PageMeta, pageMeta } from "@parley/contracts/shared/common";
import { toolRuns } from "@parley/db/agents/tool-runs";
import { and, count, desc, eq } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { findCurated } from "../tools/curated-tools.ts";
import { readTool } from "../tools/find-tool.ts";

/** Lists the runs of a tool, newest first. @throws ApiError RESOURCE_NOT_FOUND */
export async function listToolRuns(
	ctx: Ctx,
	toolId: string,
	{ page, page_size }: RunPageQuery,
): Promise<{ items: ToolRun[]; meta: PageMeta }> {
	if (!findCurated(toolId)) await readTool(ctx, toolId);
	const ofTool = and(eq(toolRuns.organisationId, ctx.actor.organisation.id), eq(toolRuns.toolId, toolId));
	const [rows, [{ total } = { total: 0 }]] = await ctx.db.batch([
		ctx.db
			.select()
			.from(toolRuns)
			.where(ofTool)
			.orderBy(desc(toolRuns.id))
			.limit(page_size)
			.offset((page - 1) * page_size),
		ctx.db.select({ total: count() }).from(toolRuns).where(ofTool),
	]);
	return { items: rows.map(toToolRun), meta: pageMeta(page, page_size, total) };
}

const toToolRun = (row: typeof toolRuns.$inferSelect): ToolRun => ({
	run_id: row.id,
	status: row.status,
	latency_ms: row.latencyMs,
	output_json: row.output,
	logs: row.logs,
	logs_truncated: row.logsTruncated,
	validation: row.validation,
	error: row.error,
	content_hash: row.contentHash,
	version_number: row.versionNumber,
	sample_input: row.sampleInput,
	actor: row.actor,
	created_at: row.createdAt,
});

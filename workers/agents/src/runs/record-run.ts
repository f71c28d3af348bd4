import type { RunResult } from "@parley/contracts/agents/tool-runs";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { toolRuns } from "@parley/db/agents/tool-runs";
import { tools } from "@parley/db/agents/tools";
import { changedRows } from "@parley/db/client";
import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { liveTool, selectTool, type ToolRow, toRow } from "../tools/tool-row.ts";
import { auditTool } from "../tools/write-tool.ts";
import type { Runnable } from "./runnable.ts";

type Run = Omit<RunResult, "proven_hash" | "gate_status">;
/** Returns true if a run proves its content: it succeeded, and its output does not violate the output schema. */
export const isProof = ({ status, validation }: Pick<Run, "status" | "validation">): boolean =>
	status === "succeeded" && validation !== "mismatch";

type Circumstances = { sampleInput: Record<string, unknown>; startedAt: Date };

/**
 * Records a run in the tool's history. A run of the draft also updates the tool's status and proof, unless the content
 * changed during the run. A rebuild during the run voids the proof.
 * @returns the tool after the run.
 * @throws ApiError TOOL_CHANGED if the draft changed during the run, which is still recorded under the hash that ran;
 * RESOURCE_NOT_FOUND if a version ran and the tool was deleted meanwhile.
 */
export async function recordRun(
	ctx: Ctx,
	tool: Runnable,
	run: Run,
	{ sampleInput, startedAt }: Circumstances,
): Promise<ToolRow> {
	const isDraft = tool.versionNumber === null;
	const provenHash = sql`case when ${tools.builtAt} is ${tool.builtAt} then ${tool.contentHash}
		else ${tools.provenHash} end`;
	const [, updated, , selected] = await ctx.db.batch([
		ctx.db.insert(toolRuns).values({
			organisationId: tool.organisationId,
			id: run.run_id,
			toolId: tool.id,
			versionNumber: tool.versionNumber,
			status: run.status,
			validation: run.validation,
			latencyMs: run.latency_ms,
			contentHash: tool.contentHash,
			sampleInput,
			output: run.output_json,
			logs: run.logs,
			logsTruncated: run.logs_truncated,
			error: run.error,
			actor: ctx.actor.id,
			createdAt: startedAt.toISOString(),
		}),
		ctx.db
			.update(tools)
			.set({ lastRunStatus: run.status, ...(isProof(run) && { provenHash }) })
			.where(and(liveTool(ctx, tool.id), isDraft ? eq(tools.contentHash, tool.contentHash) : sql`false`)),
		auditTool(ctx, "tool.run", tool, {
			...{ run_id: run.run_id, status: run.status },
			...(!isDraft && { version_number: tool.versionNumber }),
		}),
		selectTool(ctx, tool.id),
	]);
	const [after] = selected;
	if (isDraft && changedRows(updated) === 0)
		throw new ApiError("TOOL_CHANGED", "The tool was changed while it ran");
	if (!after) throw notFound("Tool", tool.id);
	return toRow(ctx, after);
}

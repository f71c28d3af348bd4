import { ApiError } from "@parley/contracts/shared/api-error";
import { assertIfMatch } from "@parley/contracts/shared/etag";
import { agentAttachments, ofAgent } from "@parley/db/agents/agent-attachments";
import { agents } from "@parley/db/agents/agents";
import { tools } from "@parley/db/agents/tools";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { replaceReferences } from "../secrets/references.ts";
import { readOwnTool } from "./find-tool.ts";
import { liveTool, type ToolRow, toTool } from "./tool-row.ts";
import { getToolUsage } from "./tools.service.ts";
import { assertUnchanged, auditTool, changedMeanwhile, draftHolder } from "./write-tool.ts";

/**
 * Deletes a tool softly. Inactive agents keep their pins to its versions, and records of past agents keep theirs.
 * @throws ApiError RESOURCE_NOT_FOUND, TOOL_READ_ONLY, TOOL_DELETE_BLOCKED, REVISION_CONFLICT
 */
export async function deleteTool(ctx: Ctx, toolId: string): Promise<void> {
	const row = await readOwnTool(ctx, toolId);
	await assertIfMatch(ctx, toTool(row));
	try {
		await ctx.db.batch([
			assertUnchanged(ctx, row),
			assertNotInUse(ctx, row),
			ctx.db
				.update(tools)
				.set({ deletedAt: ctx.clock().toISOString(), revision: row.revision + 1 })
				.where(liveTool(ctx, toolId)),
			...replaceReferences(ctx, draftHolder(toolId), []),
			auditTool(ctx, "tool.delete", row),
		]);
	} catch (error) {
		const failure = failedAssertion(error);
		if (failure === "TOOL_IN_USE") throw await deleteBlocked(ctx, toolId);
		throw failure === "TOOL_CHANGED" ? changedMeanwhile(ctx) : error;
	}
}

const assertNotInUse = (ctx: Ctx, { id, organisationId }: ToolRow) =>
	assertThat(
		ctx.db,
		sql`not exists (select 1 from ${agentAttachments} join ${agents} on ${ofAgent}
			where ${agentAttachments.organisationId} = ${organisationId} and ${agentAttachments.toolId} = ${id}
				and ${agents.status} = 'active' and ${agents.deletedAt} is null)`,
		"TOOL_IN_USE",
	);

async function deleteBlocked(ctx: Ctx, toolId: string): Promise<ApiError> {
	const usage = await getToolUsage(ctx, toolId);
	const active = usage.filter(({ agent_status }) => agent_status === "active");
	return new ApiError("TOOL_DELETE_BLOCKED", "The tool is attached to an active agent", {
		blockers: active.map(({ agent_id, agent_name, attachment_id }) => ({
			resource_type: "agent",
			resource_id: agent_id,
			resource_name: agent_name,
			location: `tool_refs.${attachment_id}`,
		})),
	});
}

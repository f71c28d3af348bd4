import type { ToolCall, ToolCallQuery } from "@parley/contracts/agents/tool-calls";
import { toolCalls } from "@parley/db/agents/tool-calls";
import { and, desc, eq, inArray, lt } from "drizzle-orm";
import { getAgentName } from "../../../agents/agents.service.ts";
import type { Ctx } from "../../../context.ts";

/** Lists the tool calls of an agent, newest first. Those of a deleted agent stay readable. @throws ApiError RESOURCE_NOT_FOUND */
export async function listToolCalls(ctx: Ctx, agentId: string, query: ToolCallQuery) {
	await getAgentName(ctx, agentId);
	const rows = await ctx.db
		.select()
		.from(toolCalls)
		.where(
			and(
				eq(toolCalls.organisationId, ctx.actor.organisation.id),
				eq(toolCalls.agentId, agentId),
				query.session_id === undefined ? undefined : eq(toolCalls.sessionId, query.session_id),
				query.call_id === undefined ? undefined : eq(toolCalls.callId, query.call_id),
				query.tool_id === undefined ? undefined : eq(toolCalls.toolId, query.tool_id),
				query.status && inArray(toolCalls.status, query.status),
				query.cursor === undefined ? undefined : lt(toolCalls.id, query.cursor),
			),
		)
		.orderBy(desc(toolCalls.id))
		.limit(query.page_size + 1);
	const items = rows.slice(0, query.page_size).map(toToolCall);
	const next_cursor = rows.length > items.length ? (items.at(-1)?.id ?? null) : null;
	return { items, meta: { page_size: query.page_size, next_cursor } };
}

const toToolCall = (row: typeof toolCalls.$inferSelect): ToolCall => ({
	id: row.id,
	attachment_id: row.attachmentId,
	name: row.name,
	tool_id: row.toolId,
	version: row.versionNumber,
	agent_id: row.agentId,
	agent_version: row.agentVersion,
	session_id: row.sessionId,
	call_id: row.callId,
	tool_call_id: row.toolCallId,
	event: row.event,
	status: row.status,
	arguments: row.arguments,
	output: row.output,
	directive: row.directive,
	error: row.error,
	latency_ms: row.latencyMs,
	validation: row.validation,
	logs: row.logs,
	mocked: row.mocked,
	actor: row.actor,
	created_at: row.createdAt,
	ended_at: row.endedAt,
});

import {
	type Call,
	type CallQuery,
	type CallStatus,
	type CallWithToolCalls,
	type CreateCall,
	MAX_TOOL_CALLS_SHOWN,
	type UpdateCall,
} from "@parley/contracts/agents/calls";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { pageMeta } from "@parley/contracts/shared/common";
import { calls } from "@parley/db/agents/calls";
import { toolCalls } from "@parley/db/agents/tool-calls";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { newId } from "@parley/db/id";
import { and, asc, count, desc, eq, inArray, sql } from "drizzle-orm";
import { agentIsLive, getAgentName, getAgentRow } from "../agents/agents.service.ts";
import { auditEntry } from "../audit-log/audit.ts";
import type { Ctx } from "../context.ts";

type CallRow = typeof calls.$inferSelect;

export async function createCall(ctx: Ctx, agentId: string, body: CreateCall): Promise<CallWithToolCalls> {
	const agent = await getAgentRow(ctx, agentId);
	const now = ctx.clock().toISOString();
	const row: CallRow = {
		organisationId: agent.organisationId,
		id: newId(),
		agentId,
		agentVersion: agent.versionNumber,
		direction: body.direction,
		status: "queued",
		...{ fromNumber: body.from_number, toNumber: body.to_number, externalId: body.external_id },
		...{ reason: null, metadata: body.metadata, revision: 1 },
		...{ createdAt: now, updatedAt: now, answeredAt: null, endedAt: null },
	};
	try {
		await ctx.db.batch([
			assertThat(ctx.db, agentIsLive(ctx, agentId), "AGENT_DELETED"),
			ctx.db.insert(calls).values(row),
			audit(ctx, row, agent.name, "call.create", { direction: row.direction, status: row.status }),
		]);
	} catch (error) {
		throw failedAssertion(error) === "AGENT_DELETED" ? notFound("Agent", agentId) : error;
	}
	return { ...toCall(row), tool_calls: [] };
}

/** Applies a report to a call. @throws ApiError VALIDATION_FAILED for an illegal status change; REVISION_CONFLICT if another report won. */
export async function updateCall(
	ctx: Ctx,
	agentId: string,
	id: string,
	body: UpdateCall,
): Promise<CallWithToolCalls> {
	const agentName = await getAgentName(ctx, agentId);
	const before = await getCallRow(ctx, agentId, id);
	const row = applyReport(before, body, ctx.clock().toISOString());
	if (row === before) return withToolCalls(ctx, before);
	const { organisationId, id: _, agentId: __, ...changes } = row;
	const same = and(eq(calls.organisationId, organisationId), eq(calls.id, id));
	const unchanged = sql`exists (select 1 from ${calls} where ${same} and ${calls.revision} = ${before.revision})`;
	try {
		await ctx.db.batch([
			assertThat(ctx.db, unchanged, "CALL_CHANGED"),
			ctx.db.update(calls).set(changes).where(same),
			audit(ctx, row, agentName, "call.update", { from: before.status, to: row.status }),
		]);
	} catch (error) {
		if (failedAssertion(error) !== "CALL_CHANGED") throw error;
		throw new ApiError(
			"REVISION_CONFLICT",
			"Another request updated the call at the same time; read it again",
		);
	}
	return withToolCalls(ctx, row);
}

export const getCall = async (ctx: Ctx, agentId: string, id: string): Promise<CallWithToolCalls> =>
	withToolCalls(ctx, await getCallRow(ctx, agentId, id));

async function withToolCalls(ctx: Ctx, row: CallRow): Promise<CallWithToolCalls> {
	const tool_calls = await ctx.db
		.select({
			...{ id: toolCalls.id, name: toolCalls.name, tool_id: toolCalls.toolId },
			...{ version: toolCalls.versionNumber, event: toolCalls.event, status: toolCalls.status },
			...{ latency_ms: toolCalls.latencyMs, error: toolCalls.error, created_at: toolCalls.createdAt },
		})
		.from(toolCalls)
		.where(and(eq(toolCalls.organisationId, row.organisationId), eq(toolCalls.callId, row.id)))
		.orderBy(asc(toolCalls.id))
		.limit(MAX_TOOL_CALLS_SHOWN);
	return { ...toCall(row), tool_calls };
}

/** Lists the calls of an agent, newest first. The calls of a deleted agent stay readable. */
export async function listCalls(ctx: Ctx, agentId: string, query: CallQuery) {
	await getAgentName(ctx, agentId);
	const wanted = [...(query.status ?? []), ...(query.state ?? [])];
	const matching = and(
		eq(calls.organisationId, ctx.actor.organisation.id),
		eq(calls.agentId, agentId),
		wanted.length > 0 ? inArray(calls.status, wanted) : undefined,
		query.direction && eq(calls.direction, query.direction),
	);
	const [rows, [counted]] = await ctx.db.batch([
		ctx.db
			.select()
			.from(calls)
			.where(matching)
			.orderBy(desc(calls.createdAt), desc(calls.id))
			.limit(query.page_size)
			.offset((query.page - 1) * query.page_size),
		ctx.db.select({ total: count() }).from(calls).where(matching),
	]);
	return { items: rows.map(toCall), meta: pageMeta(query.page, query.page_size, counted?.total ?? 0) };
}

async function getCallRow(ctx: Ctx, agentId: string, id: string): Promise<CallRow> {
	const [row] = await ctx.db
		.select()
		.from(calls)
		.where(
			and(eq(calls.organisationId, ctx.actor.organisation.id), eq(calls.id, id), eq(calls.agentId, agentId)),
		);
	if (!row) throw notFound("Call", id);
	return row;
}

/** Returns the call after a report; the same row if the report changes nothing. */
function applyReport(row: CallRow, body: UpdateCall, now: string): CallRow {
	const status = body.status ?? body.state ?? row.status;
	if (status !== row.status && !canBecome(row.status, status)) {
		const path = body.status === undefined ? "state" : "status";
		const message = `A call that is ${row.status} cannot become ${status}`;
		throw new ApiError("VALIDATION_FAILED", `${path}: ${message}`, { fields: [{ path, message }] });
	}
	const changes = {
		status,
		reason: body.reason === undefined ? row.reason : body.reason,
		externalId: body.external_id === undefined ? row.externalId : body.external_id,
		metadata: body.metadata ?? row.metadata,
		answeredAt: row.answeredAt ?? (status === "in_progress" ? now : null),
		endedAt: row.endedAt ?? (isFinal(status) ? now : null),
	};
	const next = { ...row, ...changes };
	if (JSON.stringify(next) === JSON.stringify(row)) return row;
	return { ...next, revision: row.revision + 1, updatedAt: now };
}

/** Statuses of a live call, in order. */
const LIVE_STATUSES: readonly CallStatus[] = ["queued", "dispatching", "ringing", "in_progress"];

const isFinal = (status: CallStatus): boolean => !LIVE_STATUSES.includes(status);

/**
 * Returns true if a call may change from one status to another. A live call moves forward and may skip statuses. Any live
 * status can become failed or cancelled; only in_progress can become completed. A final status never changes.
 */
export function canBecome(from: CallStatus, to: CallStatus): boolean {
	if (isFinal(from)) return false;
	if (to === "completed") return from === "in_progress";
	return isFinal(to) || LIVE_STATUSES.indexOf(to) > LIVE_STATUSES.indexOf(from);
}

const toCall = (row: CallRow): Call => ({
	id: row.id,
	organisation_id: row.organisationId,
	agent_id: row.agentId,
	agent_version: row.agentVersion,
	direction: row.direction,
	status: row.status,
	state: row.status,
	from_number: row.fromNumber,
	to_number: row.toNumber,
	external_id: row.externalId,
	reason: row.reason,
	metadata: row.metadata,
	created_at: row.createdAt,
	updated_at: row.updatedAt,
	answered_at: row.answeredAt,
	ended_at: row.endedAt,
});

const audit = (
	ctx: Ctx,
	row: CallRow,
	agentName: string,
	action: `call.${string}`,
	details: Record<string, unknown>,
) =>
	auditEntry(ctx, {
		...{ action, resourceType: "call", resourceId: row.id, resourceName: agentName },
		details: { agent_id: row.agentId, ...details },
	});

import type { AuditEntry, AuditQuery, AuditResource } from "@parley/contracts/agents/audit-log";
import { pageMeta } from "@parley/contracts/shared/common";
import { auditLog } from "@parley/db/agents/audit-log";
import { and, count, desc, eq, gte, lt, type SQL } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Lists audit entries, newest first. */
export async function listAuditLog(ctx: Ctx, query: AuditQuery) {
	const matching = and(
		eq(auditLog.organisationId, ctx.actor.organisation.id),
		whenGiven(query.actor, (actor) => eq(auditLog.actor, actor)),
		whenGiven(query.action, (action) => eq(auditLog.action, action)),
		whenGiven(query.resource_type, (type) => eq(auditLog.resourceType, type)),
		whenGiven(query.resource_id, (id) => eq(auditLog.resourceId, id)),
		whenGiven(query.since, (since) => gte(auditLog.createdAt, toStored(since))),
		whenGiven(query.until, (until) => lt(auditLog.createdAt, toStored(until))),
	);
	const [rows, [counted]] = await ctx.db.batch([
		ctx.db
			.select()
			.from(auditLog)
			.where(matching)
			.orderBy(desc(auditLog.createdAt), desc(auditLog.id))
			.limit(query.page_size)
			.offset((query.page - 1) * query.page_size),
		ctx.db.select({ total: count() }).from(auditLog).where(matching),
	]);
	return { items: rows.map(toEntry), meta: pageMeta(query.page, query.page_size, counted?.total ?? 0) };
}

const whenGiven = <T>(value: T | undefined, condition: (value: T) => SQL): SQL | undefined =>
	value === undefined ? undefined : condition(value);

/** Formats a timestamp with milliseconds, as rows store it, because they are compared as text. */
const toStored = (timestamp: string): string => new Date(timestamp).toISOString();

const toEntry = (row: typeof auditLog.$inferSelect): AuditEntry => ({
	id: row.id,
	organisation_id: row.organisationId,
	actor: row.actor,
	action: row.action,
	resource_type: row.resourceType as AuditResource,
	resource_id: row.resourceId,
	resource_name: row.resourceName,
	details: row.details,
	request_id: row.requestId,
	created_at: row.createdAt,
});

import type { AuditAction, AuditResource } from "@parley/contracts/agents/audit-log";
import { auditLog } from "@parley/db/agents/audit-log";
import { newId } from "@parley/db/id";
import type { SQL } from "drizzle-orm";
import type { Ctx } from "../context.ts";

export type AuditInput = {
	action: AuditAction;
	resourceType: AuditResource;
	resourceId: string;
	resourceName: string;
	/** Details of the change, never a secret value. May be SQL that yields a JSON object, for facts known only inside the batch. */
	details?: Record<string, unknown> | SQL;
};

/** Returns the statement that inserts an audit entry, for the batch that makes the change. */
export const auditEntry = (ctx: Ctx, entry: AuditInput) =>
	ctx.db.insert(auditLog).values({
		id: newId(),
		organisationId: ctx.actor.organisation.id,
		actor: ctx.actor.id,
		action: entry.action,
		resourceType: entry.resourceType,
		resourceId: entry.resourceId,
		resourceName: entry.resourceName,
		details: entry.details ?? {},
		requestId: ctx.requestId,
		createdAt: ctx.clock().toISOString(),
	});

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
	/** What changed, never a secret value. SQL for what only the batch itself knows: a JSON object. */
	details?: Record<string, unknown> | SQL;
};

/** The audit row of a change, as a statement for the batch that makes the change. */
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

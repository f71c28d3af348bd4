import { forgetSession } from "@parley/auth/authenticate-session";
import { auditLog } from "@parley/db/agents/audit-log";
import { newId } from "@parley/db/id";
import { type SessionRow, sessions } from "@parley/db/platform/sessions";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/**
 * Ends the open sessions of the caller's organisation that meet a condition, and records each in the audit log.
 * @returns those that it ended
 */
export async function endSessions(ctx: Ctx, which: SQL | undefined): Promise<SessionRow[]> {
	const { db, actor, requestId } = ctx;
	const organisationId = actor.organisation.id;
	const now = ctx.clock().toISOString();
	const ended = await db
		.update(sessions)
		.set({ endedAt: now })
		.where(and(eq(sessions.organisationId, organisationId), isNull(sessions.endedAt), which))
		.returning();
	for (const { hash } of ended) forgetSession(hash);
	const [first, ...rest] = ended.map((session) =>
		db.insert(auditLog).values({
			...{ id: newId(), organisationId, actor: actor.id, action: "session.end", resourceType: "session" },
			...{ resourceId: session.id, resourceName: session.door, requestId, createdAt: now },
			details: { user_id: session.userId },
		}),
	);
	if (first) await db.batch([first, ...rest]);
	return ended;
}

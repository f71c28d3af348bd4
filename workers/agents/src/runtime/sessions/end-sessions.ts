import { runtimeSessions } from "@parley/db/agents/runtime-sessions";
import { openDatabase } from "@parley/db/client";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Ctx } from "../../context.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_RETENTION_DAYS = 30;
/** Rows that one statement removes. */
const MAX_REMOVED = 1_000;
const MAX_STATEMENTS = 20;

/** Ends the open sessions of an agent: a statement for the batch that deletes it. */
export const endSessionsOf = (ctx: Ctx, agentId: string, endedAt: string) =>
	ctx.db
		.update(runtimeSessions)
		.set({ endedAt })
		.where(
			and(
				eq(runtimeSessions.organisationId, ctx.actor.organisation.id),
				eq(runtimeSessions.agentId, agentId),
				isNull(runtimeSessions.endedAt),
			),
		);

/** Removes the sessions of all organisations whose time was over `TOOL_CALL_RETENTION_DAYS` ago: their variables may be personal data. */
export async function removeOldSessions(
	env: Pick<Env, "DB" | "TOOL_CALL_RETENTION_DAYS">,
	now: Date,
): Promise<void> {
	const db = openDatabase(env.DB);
	const days = Number(env.TOOL_CALL_RETENTION_DAYS) || DEFAULT_RETENTION_DAYS;
	const before = new Date(now.getTime() - days * DAY_MS).toISOString();
	for (let statements = 0; statements < MAX_STATEMENTS; statements++) {
		const { meta } = await db.run(sql`delete from ${runtimeSessions} where id in (
			select id from ${runtimeSessions} where expires_at < ${before} limit ${MAX_REMOVED})`);
		if (meta.changes < MAX_REMOVED) return;
	}
}

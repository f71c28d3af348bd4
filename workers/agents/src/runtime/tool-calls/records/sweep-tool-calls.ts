import { toolCalls } from "@parley/db/agents/tool-calls";
import { type Database, openDatabase } from "@parley/db/client";
import { idPrefixAt } from "@parley/db/id";
import { organisations } from "@parley/db/platform/organisations";
import { sql } from "drizzle-orm";

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_RETENTION_DAYS = 30;
/** Rows that one statement removes. */
const MAX_REMOVED = 1_000;
const MAX_STATEMENTS = 20;

const INTERRUPTED = JSON.stringify({
	code: "INTERRUPTED",
	message: "The worker stopped during the call. The tool may have run.",
});

/**
 * Ends the calls of all organisations that still run although their time is over: their worker was lost.
 * @param isStackStarted true if no worker that made a call is alive, so that every running call was lost
 */
export async function endLostToolCalls(db: Database, now: Date, isStackStarted = false): Promise<void> {
	const at = now.toISOString();
	const until = isStackStarted ? "9999" : at;
	// The status is written out: only so does SQLite use the index of running calls.
	await db.run(sql`update ${toolCalls} set status = 'failed', error = ${INTERRUPTED}, ended_at = ${at},
			latency_ms = cast(max(0, (julianday(${at}) - julianday(created_at)) * 86400000) as integer)
		where (organisation_id, id) in (select organisation_id, id from ${toolCalls}
			where status = 'running' and expires_at <= ${until})`);
}

/** Removes the calls of all organisations that are older than `TOOL_CALL_RETENTION_DAYS`. */
export async function removeOldToolCalls(
	env: Pick<Env, "DB" | "TOOL_CALL_RETENTION_DAYS">,
	now: Date,
): Promise<void> {
	const db = openDatabase(env.DB);
	const days = Number(env.TOOL_CALL_RETENTION_DAYS) || DEFAULT_RETENTION_DAYS;
	const oldest = idPrefixAt(new Date(now.getTime() - days * DAY_MS));
	for (let statements = 0; statements < MAX_STATEMENTS; statements++) {
		// Ids begin with their time, so the key of the table finds an organisation's oldest calls.
		const { meta } = await db.run(sql`delete from ${toolCalls} where (organisation_id, id) in (
			select old.organisation_id, old.id from ${organisations} holder
				cross join ${toolCalls} old on old.organisation_id = holder.id and old.id < ${oldest}
			limit ${MAX_REMOVED})`);
		if (meta.changes < MAX_REMOVED) return;
	}
}

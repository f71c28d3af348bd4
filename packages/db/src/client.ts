import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

export type Database = DrizzleD1Database & { $client: D1Database };

/**
 * The database that holds an organisation's rows. There is one today; this is the only place that would choose a shard.
 * Interactive transactions do not exist on D1: several writes are one `db.batch([...])`.
 */
export const openDatabase = (binding: D1Database): Database => drizzle(binding);

/** Whether an error thrown by a statement is SQLite's refusal of a duplicate, as D1 reports it. */
export function isUniqueViolation(error: unknown): boolean {
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		if (/UNIQUE constraint failed/.test(cause.message)) return true;
	}
	return false;
}

/** Rows changed by a write, from D1's own count. */
export const changedRows = (result: { meta: { changes: number } }): number => result.meta.changes;

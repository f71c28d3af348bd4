import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** More than a week of audio in chunks of a minute. */
export const MAX_CHUNKS = 16_384;

/**
 * One stretch of a job's audio that an engine recognises in one call. The rows of a job lie side by side: their number is
 * the job's times MAX_CHUNKS plus their position. An integer primary key is the row itself, so a chunk costs one write
 * where a key of several columns would cost two. Where in the audio a chunk lies is in the job's plan, an object beside its
 * result.
 */
export const jobChunks = sqliteTable("job_chunks", {
	id: integer("id").primaryKey(),
	organisationId: text("organisation_id").notNull(),
	attempts: integer("attempts").notNull().default(0),
	leaseToken: text("lease_token"),
	leaseUntil: text("lease_until"),
	/** Its result is stored under `work/`. */
	doneAt: text("done_at"),
});
export type JobChunkRow = typeof jobChunks.$inferSelect;

export const chunkId = (jobRow: number, position: number): number => jobRow * MAX_CHUNKS + position;
export const chunkPosition = (id: number): number => id % MAX_CHUNKS;

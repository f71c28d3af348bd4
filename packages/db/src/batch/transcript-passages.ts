import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A sentence; times are seconds from the start of the audio. */
type StoredSentence = [start: number, end: number, speaker: string | null, text: string];

/** More than a week of audio: a passage is a minute. */
export const MAX_PASSAGES = 16_384;

/**
 * Sentences of transcripts by minute, as the latest revision has them. The rows of a job lie side by side: their number is the
 * job's times MAX_PASSAGES plus the minute. The full-text index `transcript_search` has a row of the same number for each.
 */
export const transcriptPassages = sqliteTable("transcript_passages", {
	id: integer("id").primaryKey(),
	organisationId: text("organisation_id").notNull(),
	sentences: text("sentences", { mode: "json" }).$type<StoredSentence[]>().notNull(),
});

export const passageId = (jobRow: number, minute: number): number => jobRow * MAX_PASSAGES + minute;

/** Returns the number of the job's row that a passage belongs to. */
export const jobRowOf = (id: number): number => Math.floor(id / MAX_PASSAGES);

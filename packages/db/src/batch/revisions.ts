import type { RevisionSummary } from "@parley/contracts/batch/revisions";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Saved states of transcripts, from 1 on; the engine's own result is revision 0 and has no row. The words are an object in the
 * media bucket, which is written first. Of two saves at once the primary key lets one through.
 */
export const revisions = sqliteTable(
	"revisions",
	{
		organisationId: text("organisation_id").notNull(),
		jobId: text("job_id").notNull(),
		number: integer("number").notNull(),
		/** Names the object of its words. */
		id: text("id").notNull(),
		author: text("author").notNull(),
		authorName: text("author_name").notNull(),
		comment: text("comment"),
		wordCount: integer("word_count").notNull(),
		summary: text("summary", { mode: "json" }).$type<RevisionSummary>().notNull(),
		createdAt: text("created_at").notNull(),
	},
	(t) => [primaryKey({ columns: [t.organisationId, t.jobId, t.number] })],
);
export type RevisionRow = typeof revisions.$inferSelect;

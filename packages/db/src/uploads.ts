import type { SubmitJob } from "@parley/contracts/job-submission";
import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Presigned uploads that no job uses yet. A row reserves its job_id, and goes in the batch that makes the job, so that an
 * upload is used once. All live equally long, so the oldest row expires first and needs no index to be found.
 */
export const uploads = sqliteTable(
	"uploads",
	{
		organisationId: text("organisation_id").notNull(),
		jobId: text("job_id").notNull(),
		key: text("key").notNull(),
		contentType: text("content_type").notNull(),
		/** The presign call; what the submission leaves out is taken from here. */
		request: text("request", { mode: "json" }).$type<SubmitJob>().notNull(),
		requestHash: text("request_hash").notNull(),
		createdAt: text("created_at").notNull(),
		expiresAt: text("expires_at").notNull(),
	},
	(t) => [primaryKey({ columns: [t.organisationId, t.jobId] })],
);
export type UploadRow = typeof uploads.$inferSelect;

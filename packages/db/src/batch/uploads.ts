import type { SubmitJob } from "@parley/contracts/batch/job-submission";
import type { SealedNotification } from "@parley/contracts/batch/webhooks";
import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** A presign call as it is kept. */
export type UploadRequest = Omit<SubmitJob, "notification_config"> & {
	notification_config?: SealedNotification[];
};

/**
 * Uploads that no job uses yet, in one PUT or in parts. A row reserves its job_id, unless it was aborted, and goes in the
 * batch that makes the job, so that an upload is used once. All live equally long, so the oldest row expires first and needs
 * no index to be found.
 */
export const uploads = sqliteTable(
	"uploads",
	{
		organisationId: text("organisation_id").notNull(),
		jobId: text("job_id").notNull(),
		key: text("key").notNull(),
		contentType: text("content_type").notNull(),
		/** The presign call; what the submission leaves out is taken from here. */
		request: text("request", { mode: "json" }).$type<UploadRequest>().notNull(),
		requestHash: text("request_hash").notNull(),
		/** Bound into the presigned URL; of an upload in parts always known. */
		sizeBytes: integer("size_bytes"),
		/** The rest is of uploads in parts only: the caller's name for it and the bucket's. */
		uploadId: text("upload_id"),
		multipartId: text("multipart_id"),
		partSize: integer("part_size"),
		checksumSha256: text("checksum_sha256"),
		completedAt: text("completed_at"),
		abortedAt: text("aborted_at"),
		createdAt: text("created_at").notNull(),
		expiresAt: text("expires_at").notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.jobId] }),
		uniqueIndex("uploads_upload_id").on(t.organisationId, t.uploadId).where(sql`${t.uploadId} is not null`),
	],
);
export type UploadRow = typeof uploads.$inferSelect;

import type { JobConfig, Tracking } from "@parley/contracts/batch/job-configs";
import {
	type InputMetadata,
	JOB_STATUSES,
	type JobError,
	type OutputMetadata,
} from "@parley/contracts/batch/jobs";
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Work of a job that failed and is going to be tried again. */
export type Retry = { attempts: number; error: JobError; nextAttemptAt: string };

/** Batch transcription jobs. Audio, chunk results and transcripts are objects in the media bucket. */
export const jobs = sqliteTable(
	"jobs",
	{
		/** The row's number, internal; chunk rows derive theirs from it. */
		id: integer("id").primaryKey(),
		organisationId: text("organisation_id").notNull(),
		jobId: text("job_id").notNull(),
		/** API key that submitted the job, or `user:<id>` for a person who is signed in. */
		apiKeyId: text("api_key_id").notNull(),
		modelCode: text("model_code").notNull(),
		status: text("status", { enum: JOB_STATUSES }).notNull(),
		jobConfig: text("job_config", { mode: "json" }).$type<JobConfig>().notNull(),
		metadata: text("metadata", { mode: "json" }).$type<Record<string, unknown>>(),
		tracking: text("tracking", { mode: "json" }).$type<Tracking>(),
		/** Hash of the submission, so that a repeated one is recognised; null when the caller gave no job_id. */
		bodyHash: text("body_hash"),
		/** Often a secret itself, so it is kept only until the audio is here. */
		inputUrl: text("input_url"),
		/** Key of the audio; null until a URL input has been fetched, and after the retention period. */
		inputKey: text("input_key"),
		/** ETag of the audio when it was planned, which detects a later replacement. */
		inputEtag: text("input_etag"),
		inputMetadata: text("input_metadata", { mode: "json" }).$type<InputMetadata>().notNull(),
		outputMetadata: text("output_metadata", { mode: "json" }).$type<OutputMetadata>(),
		error: text("error", { mode: "json" }).$type<JobError>(),
		/** By the name of the work; nothing is written here as long as nothing fails. */
		retries: text("retries", { mode: "json" }).$type<Record<string, Retry>>(),
		chunkCount: integer("chunk_count"),
		chunksDone: integer("chunks_done").notNull().default(0),
		/** Held by whoever fetches, plans or joins; worth nothing once `lease_until` has passed. */
		leaseToken: text("lease_token"),
		leaseUntil: text("lease_until"),
		/**
		 * When the sweeper looks at the job. While it lives this is the outbox mark and the watch over its leases: whoever
		 * should have moved it by then is taken for dead and its message is sent again. Later it is the retention's end.
		 */
		wakeAt: text("wake_at"),
		/** Times the sweeper has resent this job's message since its last progress. Each resend doubles the wait before the next. */
		pushes: integer("pushes").notNull().default(0),
		/** Claims since the lease was last released in order. More than one means that workers crashed. */
		claims: integer("claims").notNull().default(0),
		deadlineAt: text("deadline_at").notNull(),
		submittedAt: text("submitted_at").notNull(),
		startedAt: text("started_at"),
		completedAt: text("completed_at"),
		updatedAt: text("updated_at").notNull(),
		expiresAt: text("expires_at"),
		filesRemovedAt: text("files_removed_at"),
		/** Set first when a job is deleted; the row goes last, after everything that it names. */
		deletedAt: text("deleted_at"),
	},
	(t) => [
		uniqueIndex("jobs_job_id").on(t.organisationId, t.jobId),
		index("jobs_submitted").on(t.organisationId, t.submittedAt),
		index("jobs_wake").on(t.wakeAt).where(sql`${t.wakeAt} is not null`),
	],
);
export type JobRow = typeof jobs.$inferSelect;

import { type JobRow, jobs } from "@parley/db/batch/jobs";
import type { Database } from "@parley/db/client";
import { addToUsage, usage } from "@parley/db/platform/usage";
import { and, eq, sql } from "drizzle-orm";

/** Seconds of audio that a job has used; 0 until it is DONE. */
export const usedSeconds = sql<number>`case when ${jobs.status} = 'DONE' then coalesce(json_extract(${jobs.inputMetadata}, '$.duration_seconds'), 0) else 0 end`;

/**
 * Returns the statement that adds a job's usage to the day's. It belongs in the batch that deletes the job's row, from which the
 * usage is counted until then. The statement reads the row itself, so a repeated deletion adds nothing twice.
 */
export const keepJobUsage = (db: Database, { id, organisationId }: Pick<JobRow, "id" | "organisationId">) =>
	db
		.insert(usage)
		.select(
			db
				.select({
					organisationId: jobs.organisationId,
					day: sql<string>`substr(${jobs.submittedAt}, 1, 10)`.as("day"),
					apiKeyId: jobs.apiKeyId,
					modelCode: jobs.modelCode,
					requests: sql<number>`0`.as("requests"),
					jobs: sql<number>`1`.as("jobs"),
					audioSeconds: usedSeconds.as("audio_seconds"),
					characters: sql<number>`0`.as("characters"),
				})
				.from(jobs)
				.where(and(eq(jobs.organisationId, organisationId), eq(jobs.id, id))),
		)
		.onConflictDoUpdate(addToUsage);

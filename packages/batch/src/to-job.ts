import type { Job } from "@parley/contracts/batch/jobs";
import type { JobRow, Retry } from "@parley/db/batch/jobs";

/** Returns a job's record as the API answers it. */
export function toJob(row: JobRow): Job {
	const retry = worstOf(row.retries);
	return {
		job_id: row.jobId,
		organisation_id: row.organisationId,
		api_key_id: isActor(row.apiKeyId) ? null : row.apiKeyId,
		submitted_by: isActor(row.apiKeyId) ? row.apiKeyId : `api_key:${row.apiKeyId}`,
		model_code: row.modelCode,
		status: row.status,
		progress: progressOf(row),
		job_config: row.jobConfig,
		metadata: row.metadata,
		tracking: row.tracking,
		input_metadata: { ...row.inputMetadata, sha256: row.inputMetadata.sha256 ?? null },
		output_metadata: row.outputMetadata,
		error: row.error,
		error_message: row.error?.message ?? null,
		attempts: retry?.attempts ?? 0,
		last_error: retry?.error ?? null,
		next_attempt_at: retry?.nextAttemptAt ?? null,
		submitted_at: row.submittedAt,
		started_at: row.startedAt,
		completed_at: row.completedAt,
		updated_at: row.updatedAt,
		expires_at: row.expiresAt,
		files_removed_at: row.filesRemovedAt,
	};
}

/** Jobs hold the id of an API key, or the identity of whoever has none. */
const isActor = (account: string): boolean => account.includes(":");

/** Share of the chunks that are recognised, in thousandths. */
export function progressOf({
	status,
	chunkCount,
	chunksDone,
}: Pick<JobRow, "status" | "chunkCount" | "chunksDone">): number {
	if (status === "DONE") return 1;
	return chunkCount ? Math.floor((chunksDone / chunkCount) * 1000) / 1000 : 0;
}

/** Returns the retry with most attempts: the job ends when that one gives up. */
function worstOf(retries: JobRow["retries"]): Retry | undefined {
	return Object.values(retries ?? {}).reduce<Retry | undefined>(
		(worst, retry) => (worst && worst.attempts >= retry.attempts ? worst : retry),
		undefined,
	);
}

import { revisionsOf } from "@parley/batch/revisions";
import type { Revision, RevisionSelector, RevisionSummary } from "@parley/contracts/batch/revisions";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { type RevisionRow, revisions } from "@parley/db/batch/revisions";
import { and, desc, eq, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { isJob, jobNotFound, requireJobId } from "../find-job.ts";

/** A job that is DONE, and one of its revisions; undefined for revision 0, the engine's own result. */
export type Revised = { job: JobRow; row: RevisionRow | undefined };

/**
 * Reads a job that is DONE, and one of its revisions.
 * @throws ApiError RESOURCE_NOT_FOUND, JOB_CONFLICT until the job is DONE
 */
export async function readRevised(ctx: Ctx, jobId: string, selector: RevisionSelector): Promise<Revised> {
	const { db, actor } = ctx;
	const key = { organisationId: actor.organisation.id, jobId: requireJobId(jobId) };
	const wanted = selector === "latest" ? undefined : eq(revisions.number, selector);
	const [[job], [row]] = await db.batch([
		db
			.select()
			.from(jobs)
			.where(and(isJob(ctx, jobId), isNull(jobs.deletedAt))),
		db
			.select()
			.from(revisions)
			.where(and(revisionsOf(key), wanted))
			.orderBy(desc(revisions.number))
			.limit(1),
	]);
	if (!job) throw jobNotFound(jobId);
	assertTranscript(job);
	if (!row && selector !== "latest" && selector !== 0) throw revisionNotFound(jobId, selector);
	return { job, row };
}

export const revisionNotFound = (jobId: string, number: number): ApiError =>
	notFound("Revision", `${number} of job ${jobId}`);

/** @throws ApiError JOB_CONFLICT until the job is DONE; RESOURCE_NOT_FOUND when its retention is over */
export function assertTranscript(row: JobRow): void {
	if (row.status !== "DONE") throw new ApiError("JOB_CONFLICT", whyNoTranscript(row));
	if (row.filesRemovedAt !== null) throw expired(row);
}

/** Returns why a job that is not DONE has no transcript. */
export function whyNoTranscript({ jobId, status, error }: JobRow): string {
	if (status === "CANCELLED") return `Job ${jobId} has no transcript: it was cancelled`;
	if (status === "FAILED") return `Job ${jobId} has no transcript: it failed. ${error?.message}`;
	return `Job ${jobId} has no transcript yet (status ${status}): wait until it is DONE`;
}

export const expired = ({ jobId }: JobRow): ApiError =>
	new ApiError(
		"RESOURCE_NOT_FOUND",
		`Transcript not found: ${jobId}. It was removed at the end of the job's retention`,
	);

const UNCHANGED: RevisionSummary = {
	words_added: 0,
	words_removed: 0,
	words_replaced: 0,
	words_reassigned: 0,
};

export const numberOf = ({ row }: Revised): number => row?.number ?? 0;

/** Returns the ETag of a revision. A later job of the same id has others. */
export const revisionTag = ({ job, row }: Revised): string =>
	row
		? `"r${row.number}-${row.id.replaceAll("-", "")}"`
		: `"r0-${Date.parse(job.completedAt ?? job.updatedAt)}"`;

/** Returns a revision as the API answers it. */
export function toRevision(revised: Revised): Revision {
	const { job, row } = revised;
	return {
		revision: numberOf(revised),
		base_revision: row ? row.number - 1 : null,
		author: row?.author ?? null,
		author_name: row?.authorName ?? null,
		comment: row?.comment ?? null,
		created_at: row?.createdAt ?? job.completedAt ?? job.updatedAt,
		word_count: row?.wordCount ?? job.outputMetadata?.word_count ?? 0,
		summary: row?.summary ?? UNCHANGED,
		etag: revisionTag(revised),
	};
}

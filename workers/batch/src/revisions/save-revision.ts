import { type JobKey, revisionKey } from "@parley/batch/object-keys";
import { indexTranscript } from "@parley/batch/search-index";
import { writeRevision } from "@parley/batch/stored-revision";
import type { TranscriptWord } from "@parley/batch/transcript-words";
import {
	MAX_REVISION_WORDS,
	MAX_REVISIONS,
	type Revision,
	type RevisionConflict,
} from "@parley/contracts/batch/revisions";
import { ApiError } from "@parley/contracts/shared/api-error";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { type RevisionRow, revisions } from "@parley/db/batch/revisions";
import { isUniqueViolation } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { diffWords, summarise } from "@parley/transcripts/diff";
import { and, eq, exists, isNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { isJob, jobNotFound } from "../find-job.ts";
import { numberOf, type Revised, readRevised, revisionTag, toRevision } from "./revision-row.ts";
import { listChanges, readWords } from "./revision-words.ts";

type Change = { base_revision: number; comment?: string | undefined };

/**
 * Saves a new revision on top of the latest one. The object of its words comes first, then its row; of two saves at once one
 * gets the number, and the other is told what was saved.
 * @param change returns the new words
 * @throws ApiError PRECONDITION_FAILED, RESOURCE_NOT_FOUND, JOB_CONFLICT, INVALID_REQUEST
 */
export async function saveRevision(
	ctx: Ctx,
	jobId: string,
	{ base_revision, comment }: Change,
	change: (words: TranscriptWord[]) => TranscriptWord[],
): Promise<Revision> {
	const latest = await readRevised(ctx, jobId, "latest");
	assertEditable(latest);
	if (base_revision !== numberOf(latest) || !matches(ctx.ifMatch, revisionTag(latest)))
		throw await conflict(ctx, jobId, base_revision);
	const before = await readWords(ctx, latest);
	const words = change(before);
	if (words.length > MAX_REVISION_WORDS) throw tooManyWords(words.length);
	const changes = summarise(diffWords(before, words));
	const row: RevisionRow = {
		organisationId: latest.job.organisationId,
		jobId,
		number: base_revision + 1,
		id: newId(),
		author: ctx.actor.id,
		authorName: ctx.actor.label,
		comment: comment || null,
		wordCount: words.length,
		summary: {
			words_added: changes.added,
			words_removed: changes.removed,
			words_replaced: changes.replaced,
			words_reassigned: changes.reassigned,
		},
		createdAt: ctx.clock().toISOString(),
	};
	await writeRevision(ctx.env.MEDIA, row, row.id, words);
	const outcome = await insertRow(ctx, latest.job, row, { before, words }).catch(async (error) => {
		await removeWords(ctx, row);
		throw error;
	});
	if (outcome === "saved") return toRevision({ job: latest.job, row });
	await removeWords(ctx, row);
	throw outcome === "taken" ? await conflict(ctx, jobId, base_revision) : jobNotFound(jobId);
}

const removeWords = ({ env }: Ctx, row: JobKey & { id: string }): Promise<void> =>
	env.MEDIA.delete(revisionKey(row, row.id));

/** Inserts the row and makes the words searchable, unless its number is taken, or the job was deleted or expired meanwhile. */
async function insertRow(
	ctx: Ctx,
	job: JobRow,
	row: RevisionRow,
	{ before, words }: { before: TranscriptWord[]; words: TranscriptWord[] },
): Promise<"saved" | "taken" | "gone"> {
	const { db } = ctx;
	const here = db
		.select({ id: jobs.id })
		.from(jobs)
		.where(
			and(
				isJob(ctx, row.jobId),
				eq(jobs.id, job.id),
				eq(jobs.status, "DONE"),
				isNull(jobs.deletedAt),
				isNull(jobs.filesRemovedAt),
			),
		);
	try {
		await db.batch([
			assertThat(db, exists(here), GONE),
			db.insert(revisions).values(row),
			...indexTranscript(db, job, words, { before, condition: sql`true` }),
		]);
		return "saved";
	} catch (error) {
		if (isUniqueViolation(error)) return "taken";
		if (failedAssertion(error) === GONE) return "gone";
		throw error;
	}
}

const GONE = "job_gone";

function assertEditable(latest: Revised): void {
	const { word_count } = toRevision(latest);
	if (word_count > MAX_REVISION_WORDS)
		throw new ApiError(
			"JOB_CONFLICT",
			`The transcript has ${word_count} words. Transcripts of up to ${MAX_REVISION_WORDS} words can be edited.`,
		);
	if (numberOf(latest) >= MAX_REVISIONS)
		throw new ApiError("JOB_CONFLICT", `A job has at most ${MAX_REVISIONS} revisions`);
}

const tooManyWords = (count: number): ApiError =>
	new ApiError(
		"INVALID_REQUEST",
		`The revision would have ${count} words. It may have at most ${MAX_REVISION_WORDS}.`,
	);

/** Strong comparison with the caller's tags (RFC 9110, section 13.1.1). */
function matches(ifMatch: string | undefined, tag: string): boolean {
	if (ifMatch === undefined || ifMatch.trim() === "*") return true;
	return ifMatch.split(",").some((given) => given.trim() === tag);
}

/** Returns the refusal of a change that came too late, with what was saved since its base. */
async function conflict(ctx: Ctx, jobId: string, baseNumber: number): Promise<ApiError> {
	const latest = await readRevised(ctx, jobId, "latest");
	if (baseNumber > numberOf(latest))
		return new ApiError(
			"INVALID_REQUEST",
			`base_revision: Must be an existing revision, at most ${numberOf(latest)}`,
		);
	const base = await readRevised(ctx, jobId, baseNumber);
	const [before, after] = await Promise.all([readWords(ctx, base), readWords(ctx, latest)]);
	const details: RevisionConflict = {
		base_revision: baseNumber,
		latest: toRevision(latest),
		...listChanges(before, after),
	};
	return new ApiError(
		"PRECONDITION_FAILED",
		`Revision ${numberOf(latest)} was saved meanwhile. Merge it with your change, then save with its number and ETag.`,
		{ conflict: details },
	);
}

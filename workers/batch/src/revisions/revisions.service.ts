import { revisionsOf } from "@parley/batch/revisions";
import type {
	CreateRevision,
	ListRevisionsQuery,
	Revision,
	RevisionDetails,
	RevisionPage,
	UpdateSpeakers,
} from "@parley/contracts/batch/revisions";
import type { GetSpeakersQuery, Speakers } from "@parley/contracts/batch/speakers";
import { pageMeta } from "@parley/contracts/shared/common";
import { revisions } from "@parley/db/batch/revisions";
import { applyEdits } from "@parley/transcripts/edit";
import { applySpeakers, labelOf, listSpeakers } from "@parley/transcripts/speakers";
import { and, desc, gte } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { refuseField } from "../refusals.ts";
import { numberOf, readRevised, toRevision } from "./revision-row.ts";
import { listChanges, readWords } from "./revision-words.ts";
import { saveRevision } from "./save-revision.ts";

/** @throws ApiError RESOURCE_NOT_FOUND, JOB_CONFLICT until the job is DONE */
export async function listRevisions(
	ctx: Ctx,
	jobId: string,
	{ page, page_size }: ListRevisionsQuery,
): Promise<RevisionPage> {
	const { job, row: latest } = await readRevised(ctx, jobId, "latest");
	// Numbers have no gaps, so a page is a range of them.
	const newest = (latest?.number ?? 0) - (page - 1) * page_size;
	const rows = await ctx.db
		.select()
		.from(revisions)
		.where(and(revisionsOf(job), gte(revisions.number, newest - page_size + 1)))
		.orderBy(desc(revisions.number));
	const items = rows.filter(({ number }) => number <= newest).map((row) => toRevision({ job, row }));
	if (newest >= 0 && items.length < page_size) items.push(toRevision({ job, row: undefined }));
	return { items, meta: pageMeta(page, page_size, (latest?.number ?? 0) + 1) };
}

/** @throws ApiError RESOURCE_NOT_FOUND, JOB_CONFLICT until the job is DONE */
export async function getRevision(ctx: Ctx, jobId: string, number: number): Promise<RevisionDetails> {
	const revised = await readRevised(ctx, jobId, number);
	if (number === 0) return { ...toRevision(revised), changes: [], changes_truncated: false };
	const base = await readRevised(ctx, jobId, number - 1);
	const [before, after] = await Promise.all([readWords(ctx, base), readWords(ctx, revised)]);
	return { ...toRevision(revised), ...listChanges(before, after) };
}

/**
 * Saves edits as a new revision.
 * @throws ApiError PRECONDITION_FAILED with what was saved meanwhile, if the base is not the latest revision or `If-Match` fails
 * @throws ApiError INVALID_REQUEST for edits that do not fit or a base that does not exist
 * @throws ApiError RESOURCE_NOT_FOUND
 * @throws ApiError JOB_CONFLICT until the job is DONE, for a transcript that is too long, or at the maximum number of revisions
 */
export async function createRevision(ctx: Ctx, jobId: string, body: CreateRevision): Promise<Revision> {
	return saveRevision(ctx, jobId, body, (words) => {
		assertOrdered("edits", body.edits, words.length);
		return applyEdits(words, body.edits);
	});
}

/** @throws ApiError as `createRevision` does */
export async function updateSpeakers(ctx: Ctx, jobId: string, body: UpdateSpeakers): Promise<Revision> {
	return saveRevision(ctx, jobId, body, (words) => {
		const { rename = {}, assign = [] } = body;
		const known = new Set(words.map(labelOf));
		for (const label of Object.keys(rename))
			if (!known.has(label)) throw refuseField("rename", `No word is spoken by ${JSON.stringify(label)}`);
		assertOrdered("assign", assign, words.length);
		return applySpeakers(words, new Map(Object.entries(rename)), assign);
	});
}

/** @throws ApiError RESOURCE_NOT_FOUND, JOB_CONFLICT until the job is DONE */
export async function getSpeakers(
	ctx: Ctx,
	jobId: string,
	{ revision }: GetSpeakersQuery,
): Promise<Speakers> {
	const revised = await readRevised(ctx, jobId, revision);
	const speakers = listSpeakers(await readWords(ctx, revised));
	return {
		revision: numberOf(revised),
		items: speakers.map(({ label, wordCount, seconds, firstTime }) => ({
			...{ label, word_count: wordCount, seconds, first_time: firstTime },
		})),
	};
}

/** Requires that ranges are in order, do not overlap and lie inside the words. @throws ApiError INVALID_REQUEST */
function assertOrdered(field: string, ranges: { start: number; end: number }[], words: number): void {
	let last = { start: -1, end: 0 };
	for (const [index, range] of ranges.entries()) {
		if (range.end > words)
			throw refuseField(`${field}.${index}.end`, `Must be at most ${words}, the words of the base revision`);
		const isRepeated = range.start === range.end && last.start === range.start && last.end === range.end;
		if (range.start < last.end || isRepeated)
			throw refuseField(`${field}.${index}.start`, "Must not overlap the entry before it");
		last = range;
	}
}

import { matchExpression } from "@parley/batch/search-index";
import type { SearchQuery, SearchResults } from "@parley/contracts/batch/search";
import {
	MAX_HITS_PER_JOB,
	MAX_SNIPPET_LENGTH,
	type SearchedJob,
	type SearchHit,
} from "@parley/contracts/batch/search";
import { ApiError } from "@parley/contracts/shared/api-error";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { revisions } from "@parley/db/batch/revisions";
import { jobRowOf, MAX_PASSAGES, passageId, transcriptPassages } from "@parley/db/batch/transcript-passages";
import type { PassageSentence } from "@parley/transcripts/passages";
import { findPhrases, parseQuery, type SearchPhrase } from "@parley/transcripts/search-terms";
import { and, eq, inArray, isNull, max, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { readJob } from "../find-job.ts";

/** Passages read of a job: each has a hit at least, and one more tells whether there are further ones. */
const MAX_PASSAGES_PER_JOB = MAX_HITS_PER_JOB + 1;

/** Greatest number of a passage that a job may have. */
const LAST = Number.MAX_SAFE_INTEGER;

/**
 * Searches the transcripts of the organisation, job by job from the newest on. The index is read backwards from the cursor, so a
 * page costs the same wherever it is.
 * @throws ApiError INVALID_REQUEST for a cursor that is none; RESOURCE_NOT_FOUND for the job to search in
 */
export async function searchTranscripts(ctx: Ctx, query: SearchQuery): Promise<SearchResults> {
	const { db, actor } = ctx;
	const phrases = parseQuery(query.q);
	const below = readCursor(query.cursor);
	const only = query.job_id === undefined ? undefined : (await readJob(ctx, query.job_id)).id;
	if (phrases.length === 0) return { items: [], next_cursor: null };
	const match = matchExpression(actor.organisation.id, phrases);
	const found = await findJobs(ctx, match, query.limit + 1, below, only);
	const page = found.slice(0, query.limit);
	if (page.length === 0) return { items: [], next_cursor: null };
	const [rows, numbers, ...passages] = await db.batch([
		db
			.select()
			.from(jobs)
			.where(
				and(
					eq(jobs.organisationId, actor.organisation.id),
					inArray(jobs.id, page),
					eq(jobs.status, "DONE"),
					isNull(jobs.deletedAt),
				),
			),
		latestNumbers(ctx, page),
		...page.map((job) => passagesOf(ctx, match, job)),
	]);
	const latest = new Map(numbers.map(({ jobId, number }) => [jobId, number ?? 0]));
	const items = page.flatMap((id, index): SearchedJob[] => {
		const row = rows.find((job) => job.id === id);
		const sentences = (passages[index] ?? []).flatMap((passage) => passage.sentences);
		const searched = row && toSearchedJob(row, latest.get(row.jobId) ?? 0, hitsOf(sentences, phrases));
		return searched && searched.hits.length > 0 ? [searched] : [];
	});
	const last = page.at(-1);
	return { items, next_cursor: found.length > query.limit && last ? toCursor(last) : null };
}

/** Returns the rows of jobs that match, from the newest on: each step jumps behind the passages of the job before. */
async function findJobs(
	{ db }: Ctx,
	match: string,
	limit: number,
	below: number | undefined,
	only: number | undefined,
): Promise<number[]> {
	const [least, most] =
		only === undefined
			? [0, below === undefined ? LAST : passageId(below, 0)]
			: [passageId(only, 0), below !== undefined && below <= only ? 0 : passageId(only + 1, 0)];
	// The index compares row numbers with integers only, and D1 binds every number as a real one.
	const next = (before: SQL) => sql`(select rowid from transcript_search
		where transcript_search match ${match} and rowid < ${before} and rowid >= ${integer(least)}
		order by rowid desc limit 1)`;
	const size = integer(MAX_PASSAGES);
	const found = await db.all<{ id: number }>(sql`
		with recursive found(id) as (
			select ${next(integer(most))}
			union all
			select ${next(sql`found.id / ${size} * ${size}`)} from found where found.id is not null
			limit ${limit}
		)
		select id from found where id is not null`);
	return found.map(({ id }) => jobRowOf(id));
}

const integer = (value: number): SQL => sql`cast(${value} as integer)`;

/** Reads the first matching passages of a job. */
const passagesOf = ({ db, actor }: Ctx, match: string, job: number) =>
	db
		.select({ sentences: transcriptPassages.sentences })
		.from(transcriptPassages)
		.where(
			and(
				eq(transcriptPassages.organisationId, actor.organisation.id),
				sql`${transcriptPassages.id} in (
					select rowid from transcript_search where transcript_search match ${match}
					and rowid between ${integer(passageId(job, 0))} and ${integer(passageId(job, MAX_PASSAGES - 1))}
					order by rowid limit ${MAX_PASSAGES_PER_JOB})`,
			),
		)
		.orderBy(transcriptPassages.id);

const latestNumbers = ({ db, actor }: Ctx, rows: number[]) =>
	db
		.select({ jobId: revisions.jobId, number: max(revisions.number) })
		.from(revisions)
		.where(
			and(
				eq(revisions.organisationId, actor.organisation.id),
				inArray(
					revisions.jobId,
					db
						.select({ jobId: jobs.jobId })
						.from(jobs)
						.where(and(eq(jobs.organisationId, actor.organisation.id), inArray(jobs.id, rows))),
				),
			),
		)
		.groupBy(revisions.jobId);

/** Returns the sentences with most of the phrases: words of one query may be spoken in neighbouring sentences. */
function hitsOf(sentences: readonly PassageSentence[], phrases: readonly SearchPhrase[]): SearchHit[] {
	const matching = sentences.flatMap(([start, end, speaker, text]) => {
		const { ranges, found } = findPhrases(text, phrases);
		return found > 0 ? [{ ...snippet(text, ranges), start, end, speaker, found }] : [];
	});
	const most = Math.max(0, ...matching.map(({ found }) => found));
	return matching
		.filter(({ found }) => found === most)
		.map(({ text, highlights, start, end, speaker }) => ({
			...{ text, highlights, start_time: start, end_time: end, speaker },
		}));
}

/** Cuts a long sentence to the part around its first match. */
function snippet(text: string, ranges: [number, number][]): Pick<SearchHit, "text" | "highlights"> {
	if (text.length <= MAX_SNIPPET_LENGTH) return { text, highlights: ranges };
	const [first = 0] = ranges[0] ?? [];
	const from = wholeCharacter(text, Math.max(0, Math.min(first - 60, text.length - MAX_SNIPPET_LENGTH)));
	const until = wholeCharacter(text, from + MAX_SNIPPET_LENGTH);
	return {
		text: text.slice(from, until),
		highlights: ranges
			.filter(([start, end]) => start >= from && end <= until)
			.map(([start, end]) => [start - from, end - from]),
	};
}

/** Returns an index that parts no surrogate pair. */
const wholeCharacter = (text: string, at: number): number =>
	/[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at;

function toSearchedJob(row: JobRow, revision: number, hits: SearchHit[]): SearchedJob {
	return {
		job_id: row.jobId,
		title: row.tracking?.title ?? row.inputKey?.split("/").at(-1) ?? null,
		submitted_at: row.submittedAt,
		duration_seconds: row.inputMetadata.duration_seconds,
		revision,
		hits: hits.slice(0, MAX_HITS_PER_JOB),
		has_more_hits: hits.length > MAX_HITS_PER_JOB,
	};
}

const toCursor = (job: number): string => job.toString(36);

function readCursor(cursor: string | undefined): number | undefined {
	if (cursor === undefined) return undefined;
	const below = /^[0-9a-z]{1,8}$/.test(cursor) ? Number.parseInt(cursor, 36) : 0;
	if (below <= 0) {
		const message = "Must be the next_cursor of the page before";
		throw new ApiError("INVALID_REQUEST", message, { fields: [{ path: "query.cursor", message }] });
	}
	return below;
}

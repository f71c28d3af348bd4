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
import { jobRowOf, passageId, transcriptPassages } from "@parley/db/batch/transcript-passages";
import type { PassageSentence } from "@parley/transcripts/passages";
import { findPhrases, parseQuery, type SearchPhrase } from "@parley/transcripts/search-terms";
import { and, eq, inArray, isNull, max, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { readJob } from "../find-job.ts";

/** Passages shown of a job: each has a hit at least, and one more tells whether there are further ones. */
const MAX_PASSAGES_PER_JOB = MAX_HITS_PER_JOB + 1;
/** Passages that one page looks at. A page of long recordings has fewer jobs than asked for. */
const MAX_SCANNED = 1000;

/**
 * Searches the transcripts of the organisation, job by job from the newest on. The index is read once, backwards from the cursor,
 * so a page costs the same wherever it is.
 * @throws ApiError INVALID_REQUEST for a cursor that is none; RESOURCE_NOT_FOUND for the job to search in
 */
export async function searchTranscripts(ctx: Ctx, query: SearchQuery): Promise<SearchResults> {
	const { db, actor } = ctx;
	const phrases = parseQuery(query.q);
	const below = readCursor(query.cursor);
	const only = query.job_id === undefined ? undefined : (await readJob(ctx, query.job_id)).id;
	if (phrases.length === 0) return NOTHING;
	const match = matchExpression(actor.organisation.id, phrases);
	const { page, hasMore } = await findPassages(ctx, match, query.limit, below, only);
	const [first, ...others] = page;
	if (!first) return NOTHING;
	const ids = page.map(({ job }) => job);
	const [rows, numbers, ...passages] = await db.batch([
		db
			.select()
			.from(jobs)
			.where(and(hasRows(ctx, ids), eq(jobs.status, "DONE"), isNull(jobs.deletedAt))),
		latestNumbers(ctx, ids),
		readPassages(ctx, first),
		...others.map((job) => readPassages(ctx, job)),
	]);
	const latest = new Map(numbers.map(({ jobId, number }) => [jobId, number ?? 0]));
	const items = ids.flatMap((id, index): SearchedJob[] => {
		const row = rows.find((job) => job.id === id);
		const sentences = (passages[index] ?? []).flatMap((passage) => passage.sentences);
		const searched = row && toSearchedJob(row, latest.get(row.jobId) ?? 0, hitsOf(sentences, phrases));
		return searched && searched.hits.length > 0 ? [searched] : [];
	});
	const last = ids.at(-1);
	return { items, next_cursor: hasMore && last ? toCursor(last) : null };
}

const NOTHING: SearchResults = { items: [], next_cursor: null };

/** Numbers of the first matching passages of a job. */
type Found = { job: number; passages: number[] };

async function findPassages(
	ctx: Ctx,
	match: string,
	limit: number,
	below: number | undefined,
	only: number | undefined,
): Promise<{ page: Found[]; hasMore: boolean }> {
	const least = only === undefined ? 0 : passageId(only, 0);
	const most = Math.min(
		below === undefined ? MAX_ROW : passageId(below, 0),
		only === undefined ? MAX_ROW : passageId(only + 1, 0),
	);
	const scanned = await scan(ctx, match, [least, most], "desc", MAX_SCANNED);
	const found = [...Map.groupBy(scanned, jobRowOf)].map(([job, passages]) => ({
		job,
		passages: passages.reverse().slice(0, MAX_PASSAGES_PER_JOB),
	}));
	const isCut = scanned.length === MAX_SCANNED;
	// The first passages of the last job may not be among those scanned.
	const cut = isCut ? found.pop() : undefined;
	if (cut && found.length === 0) {
		const range: Range = [passageId(cut.job, 0), passageId(cut.job + 1, 0)];
		found.push({ ...cut, passages: await scan(ctx, match, range, "asc", MAX_PASSAGES_PER_JOB) });
	}
	return { page: found.slice(0, limit), hasMore: isCut || found.length > limit };
}

type Range = [least: number, below: number];
/** Greater than the number of any passage. */
const MAX_ROW = passageId(2 ** 36, 0);

/** Reads the numbers of matching passages in order. */
async function scan(
	{ db }: Ctx,
	match: string,
	[least, below]: Range,
	order: "asc" | "desc",
	limit: number,
): Promise<number[]> {
	// The index compares row numbers with integers only, and D1 binds every number as a real one.
	const integer = (value: number): SQL => sql`cast(${value} as integer)`;
	const rows = await db.all<{ id: number }>(sql`select rowid as id from transcript_search
		where transcript_search match ${match} and rowid >= ${integer(least)} and rowid < ${integer(below)}
		order by rowid ${sql.raw(order)} limit ${limit}`);
	return rows.map(({ id }) => id);
}

const readPassages = ({ db, actor }: Ctx, { passages }: Found) =>
	db
		.select({ sentences: transcriptPassages.sentences })
		.from(transcriptPassages)
		.where(
			and(
				eq(transcriptPassages.organisationId, actor.organisation.id),
				inArray(transcriptPassages.id, passages),
			),
		)
		.orderBy(transcriptPassages.id);

/** Condition for jobs of the organisation by their rows. The `+` keeps SQLite from reading all of the organisation's instead. */
const hasRows = ({ actor }: Pick<Ctx, "actor">, rows: number[]) =>
	and(inArray(jobs.id, rows), sql`+${jobs.organisationId} = ${actor.organisation.id}`);

const latestNumbers = ({ db, actor }: Ctx, rows: number[]) =>
	db
		.select({ jobId: revisions.jobId, number: max(revisions.number) })
		.from(revisions)
		.where(
			and(
				eq(revisions.organisationId, actor.organisation.id),
				inArray(revisions.jobId, db.select({ jobId: jobs.jobId }).from(jobs).where(hasRows({ actor }, rows))),
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

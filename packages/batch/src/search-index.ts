import type { JobRow } from "@parley/db/batch/jobs";
import { MAX_PASSAGES, passageId, transcriptPassages } from "@parley/db/batch/transcript-passages";
import type { Database } from "@parley/db/client";
import { type Passage, passagesOf } from "@parley/transcripts/passages";
import { type SearchPhrase, termsOf } from "@parley/transcripts/search-terms";
import { and, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TranscriptWord } from "./transcript-words.ts";

/** The full-text index, which a migration of its own makes: it is no table that the schema could describe. */
const transcriptSearch = sqliteTable("transcript_search", {
	rowid: integer("rowid").notNull(),
	terms: text("terms").notNull(),
});

type IndexedJob = Pick<JobRow, "id" | "organisationId">;

/** Characters of one bound value. D1 takes two megabytes, and a character may take four bytes. */
const MAX_VALUE_LENGTH = 400_000;

/** Digits of an organisation's id in front of its terms. They are random, and rows name the organisation as well. */
const PREFIX_LENGTH = 12;
const prefixOf = (organisationId: string): string => organisationId.replaceAll("-", "").slice(-PREFIX_LENGTH);

/**
 * Returns the statements that make a transcript searchable.
 * @param before an earlier state that is searchable; only the minutes that changed since are then written
 * @param condition under which they change anything, for a batch whose main statement may change nothing
 */
export function indexTranscript(
	db: Database,
	job: IndexedJob,
	words: readonly TranscriptWord[],
	{ before, condition }: { before?: readonly TranscriptWord[]; condition: SQL },
) {
	const was = new Map(
		passagesOf(before ?? []).map((passage) => [passage.minute, JSON.stringify(passage.sentences)]),
	);
	const passages = passagesOf(words).filter(({ minute }) => minute < MAX_PASSAGES);
	const changed = passages.filter(({ minute, sentences }) => was.get(minute) !== JSON.stringify(sentences));
	const now = new Set(passages.map(({ minute }) => minute));
	const gone = [...was.keys()].filter((minute) => !now.has(minute));
	const stale = [...gone, ...changed.filter(({ minute }) => was.has(minute)).map(({ minute }) => minute)];
	const from = (rows: string, second: SQL) =>
		sql`select json_extract(value, '$[0]'), ${second} from json_each(${rows}) where ${condition}`;
	return [
		...(before ? [] : unindexTranscript(db, job, condition)),
		...inPieces(stale.map((minute) => passageId(job.id, minute))).flatMap((ids) => [
			db.delete(transcriptPassages).where(and(isOwn(job), isListed(transcriptPassages.id, ids), condition)),
			db.delete(transcriptSearch).where(and(isListed(transcriptSearch.rowid, ids), condition)),
		]),
		...inPieces(changed.map(({ minute, sentences }) => [passageId(job.id, minute), sentences])).map((rows) =>
			db
				.insert(transcriptPassages)
				.select(from(rows, sql`${job.organisationId}, json_extract(value, '$[1]')`)),
		),
		...inPieces(
			changed.map((passage) => [passageId(job.id, passage.minute), indexedTerms(job, passage)]),
		).map((rows) => db.insert(transcriptSearch).select(from(rows, sql`json_extract(value, '$[1]')`))),
	];
}

const isListed = (column: SQLWrapper, ids: string): SQL =>
	sql`${column} in (select value from json_each(${ids}))`;

const isOwn = ({ organisationId }: IndexedJob): SQL => eq(transcriptPassages.organisationId, organisationId);

/**
 * Returns the statements that remove a transcript from the search. The numbers belong to this row of a job alone, so nothing that
 * an earlier job left there can stay.
 */
export function unindexTranscript(db: Database, job: IndexedJob, condition: SQL = sql`true`) {
	const isOfJob = (column: SQLWrapper) =>
		sql`${column} between ${integerOf(passageId(job.id, 0))} and ${integerOf(passageId(job.id, MAX_PASSAGES - 1))}`;
	return [
		db.delete(transcriptSearch).where(and(isOfJob(transcriptSearch.rowid), condition)),
		db.delete(transcriptPassages).where(and(isOfJob(transcriptPassages.id), condition)),
	] as const;
}

/** The index compares row numbers with integers only, and D1 binds every number as a real one. */
const integerOf = (value: number): SQL => sql`cast(${value} as integer)`;

/**
 * Returns the query of the full-text index that finds passages with all phrases. It consists of quoted letters and digits,
 * whatever was typed.
 */
export function matchExpression(organisationId: string, phrases: readonly SearchPhrase[]): string {
	const prefix = prefixOf(organisationId);
	return phrases
		.map(({ terms, isPrefix }) => {
			const phrase = terms.map((term) => `"${prefix}${term}"`).join(" + ");
			return isPrefix ? `${phrase} *` : phrase;
		})
		.join(" AND ");
}

const indexedTerms = ({ organisationId }: IndexedJob, { sentences }: Passage): string => {
	const prefix = prefixOf(organisationId);
	return sentences
		.flatMap(([, , , text]) => termsOf(text))
		.map(({ term }) => prefix + term)
		.join(" ");
};

/** Divides values into JSON arrays that one statement takes. */
function inPieces(values: readonly unknown[]): string[] {
	const pieces: string[] = [];
	let [piece, length] = [[] as string[], 0];
	for (const value of values) {
		const text = JSON.stringify(value);
		if (length > 0 && length + text.length > MAX_VALUE_LENGTH) {
			pieces.push(`[${piece}]`);
			[piece, length] = [[], 0];
		}
		piece.push(text);
		length += text.length;
	}
	if (piece.length > 0) pieces.push(`[${piece}]`);
	return pieces;
}

import { outputKey } from "@parley/batch/object-keys";
import { toCues } from "@parley/batch/subtitles";
import { captionWords, type TranscriptWord, toResults } from "@parley/batch/transcript-words";
import { type GetTranscriptQuery, TRANSCRIPT_TYPES } from "@parley/contracts/batch/jobs";
import type { Transcript } from "@parley/contracts/batch/transcript";
import { toSrt, toText, toVtt } from "@parley/transcripts/subtitles";
import type { Ctx } from "../context.ts";
import { awaitJob } from "../find-job.ts";
import { assertTranscript, expired, type Revised, readRevised } from "../revisions/revision-row.ts";
import { readWords } from "../revisions/revision-words.ts";

/** @throws ApiError JOB_CONFLICT until the job is DONE; RESOURCE_NOT_FOUND also when its retention is over. */
export async function getTranscript(
	ctx: Ctx,
	jobId: string,
	query: GetTranscriptQuery,
): Promise<{ body: BodyInit; contentType: string }> {
	const contentType = TRANSCRIPT_TYPES[query.format];
	const job = await awaitJob(ctx, jobId, query.wait);
	assertTranscript(job);
	const revised =
		query.revision === 0 ? { job, row: undefined } : await readRevised(ctx, jobId, query.revision);
	if (revised.row || isWrappedAnew(query))
		return { body: await exportWords(ctx, revised, query), contentType };
	const object = await ctx.env.MEDIA.get(outputKey(job, query.format));
	if (!object) throw expired(job);
	return { body: object.body, contentType };
}

const isWrappedAnew = ({ format, max_line_length, max_lines }: GetTranscriptQuery): boolean =>
	(format === "srt" || format === "vtt") && (max_line_length !== undefined || max_lines !== undefined);

/** Writes the words of a revision in a format. */
async function exportWords(ctx: Ctx, revised: Revised, query: GetTranscriptQuery): Promise<BodyInit> {
	switch (query.format) {
		case "txt":
			return toText(captionWords(await readWords(ctx, revised)));
		case "srt":
			return toSrt(toCues(await readWords(ctx, revised), revised.job, query));
		case "vtt":
			return toVtt(toCues(await readWords(ctx, revised), revised.job, query));
		case "json":
			return streamJson(await readHead(ctx, revised), await readWords(ctx, revised));
	}
}

type Head = Omit<Transcript, "results">;

/** Reads the engine's transcript without its words, and names the revision in it. */
async function readHead({ env }: Ctx, { job, row }: Revised): Promise<Head> {
	const object = await env.MEDIA.get(outputKey(job, "json"));
	if (!object) throw expired(job);
	const { results: _, metadata, ...rest } = await object.json<Transcript>();
	const revision = row && { number: row.number, author: row.author, created_at: row.createdAt };
	return { ...rest, metadata: { ...metadata, ...(revision && { revision }) } };
}

const WORDS_PER_PIECE = 2000;

/** Writes a transcript piece by piece: as one text, a hundred thousand words would be in memory several times. */
function streamJson(head: Head, words: readonly TranscriptWord[]): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	const opening = JSON.stringify(head).slice(0, -1);
	let from = -1;
	return new ReadableStream({
		pull(controller) {
			if (from < 0) {
				controller.enqueue(encoder.encode(`${opening},"results":[`));
				from = 0;
				return;
			}
			if (from >= words.length) {
				controller.enqueue(encoder.encode("]}"));
				controller.close();
				return;
			}
			const piece = JSON.stringify(toResults(words.slice(from, from + WORDS_PER_PIECE))).slice(1, -1);
			controller.enqueue(encoder.encode(from > 0 ? `,${piece}` : piece));
			from += WORDS_PER_PIECE;
		},
	});
}

import { outputKey } from "@parley/batch/object-keys";
import { toCues } from "@parley/batch/subtitles";
import { captionWords, type TranscriptWord, toResults } from "@parley/batch/transcript-words";
import type { TranscriptFormat } from "@parley/contracts/batch/jobs";
import type { Transcript } from "@parley/contracts/batch/transcript";
import { toSrt, toText, toVtt } from "@parley/transcripts/subtitles";
import type { Ctx } from "../context.ts";
import { expired, type Revised } from "../revisions/revision-row.ts";
import { readWords } from "../revisions/revision-words.ts";

type Export = {
	format: TranscriptFormat;
	max_line_length?: number | undefined;
	max_lines?: number | undefined;
};

/**
 * Returns a revision of a transcript in a format. The engine's own result is served as it was written at the end of the job.
 * @throws ApiError RESOURCE_NOT_FOUND when it was removed
 */
export async function exportTranscript(
	ctx: Ctx,
	revised: Revised,
	query: Export,
): Promise<ReadableStream<Uint8Array> | string> {
	if (revised.row || isWrappedAnew(query)) return exportWords(ctx, revised, query);
	const object = await ctx.env.MEDIA.get(outputKey(revised.job, query.format));
	if (!object) throw expired(revised.job);
	return object.body;
}

const isWrappedAnew = ({ format, max_line_length, max_lines }: Export): boolean =>
	(format === "srt" || format === "vtt") && (max_line_length !== undefined || max_lines !== undefined);

/** Writes the words of a revision in a format. */
async function exportWords(
	ctx: Ctx,
	revised: Revised,
	query: Export,
): Promise<ReadableStream<Uint8Array> | string> {
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

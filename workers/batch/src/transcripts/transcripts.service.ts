import { outputKey } from "@parley/batch/object-keys";
import { toCues } from "@parley/batch/subtitles";
import { wordsOf } from "@parley/batch/transcript-words";
import { type GetTranscriptQuery, TRANSCRIPT_TYPES } from "@parley/contracts/batch/jobs";
import { Transcript } from "@parley/contracts/batch/transcript";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { JobRow } from "@parley/db/batch/jobs";
import { toSrt, toVtt } from "@parley/transcripts/subtitles";
import type { Ctx } from "../context.ts";
import { awaitJob } from "../find-job.ts";

/** @throws ApiError JOB_CONFLICT until the job is DONE; RESOURCE_NOT_FOUND also when its retention is over. */
export async function getTranscript(
	ctx: Ctx,
	jobId: string,
	query: GetTranscriptQuery,
): Promise<{ body: BodyInit; contentType: string }> {
	const row = await awaitJob(ctx, jobId, query.wait);
	if (row.status !== "DONE") throw new ApiError("JOB_CONFLICT", whyNot(row));
	const contentType = TRANSCRIPT_TYPES[query.format];
	if (isWrappedAnew(query)) return { body: await wrap(ctx, row, query), contentType };
	const object = await ctx.env.MEDIA.get(outputKey(row, query.format));
	if (!object) throw expired(row);
	return { body: object.body, contentType };
}

const isWrappedAnew = ({ format, max_line_length, max_lines }: GetTranscriptQuery): boolean =>
	(format === "srt" || format === "vtt") && (max_line_length !== undefined || max_lines !== undefined);

async function wrap({ env }: Ctx, row: JobRow, query: GetTranscriptQuery): Promise<string> {
	const object = await env.MEDIA.get(outputKey(row, "json"));
	if (!object) throw expired(row);
	const { results } = Transcript.pick({ results: true }).parse(await object.json());
	const cues = toCues(wordsOf(results), row, query);
	return query.format === "srt" ? toSrt(cues) : toVtt(cues);
}

function whyNot({ jobId, status, error }: JobRow): string {
	if (status === "CANCELLED") return `Job ${jobId} has no transcript: it was cancelled`;
	if (status === "FAILED") return `Job ${jobId} has no transcript: it failed. ${error?.message}`;
	return `Job ${jobId} has no transcript yet (status ${status}): wait until it is DONE`;
}

const expired = ({ jobId }: JobRow) =>
	new ApiError(
		"RESOURCE_NOT_FOUND",
		`Transcript not found: ${jobId}. It was removed at the end of the job's retention`,
	);

import { type GetTranscriptQuery, TRANSCRIPT_TYPES } from "@parley/contracts/batch/jobs";
import type { Ctx } from "../context.ts";
import { awaitJob } from "../find-job.ts";
import { assertTranscript, readRevised } from "../revisions/revision-row.ts";
import { exportTranscript } from "./export-transcript.ts";

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
	return { body: await exportTranscript(ctx, revised, query), contentType };
}

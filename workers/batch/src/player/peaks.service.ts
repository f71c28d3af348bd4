import { isTerminal } from "@parley/batch/job-predicates";
import { findPeaks } from "@parley/batch/stored-peaks";
import { type JobPeaks, PEAKS_PER_SECOND } from "@parley/contracts/batch/peaks";
import type { Ctx } from "../context.ts";
import { readJob } from "../find-job.ts";

/** Returns the peaks of a job, or why there are none. @throws ApiError RESOURCE_NOT_FOUND */
export async function getPeaks(ctx: Ctx, jobId: string): Promise<JobPeaks> {
	const row = await readJob(ctx, jobId);
	const channels = isTerminal(row.status) ? await findPeaks(ctx.env.MEDIA, row) : undefined;
	return {
		job_id: row.jobId,
		status: channels ? "available" : isTerminal(row.status) ? "unavailable" : "pending",
		peaks_per_second: PEAKS_PER_SECOND,
		duration_seconds: row.inputMetadata.duration_seconds,
		channels: channels ?? [],
	};
}

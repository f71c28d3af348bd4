import type { JobRef } from "@parley/contracts/queue-messages";
import { endOfJob, jobs } from "@parley/db/jobs";
import { removeObjects, workPrefix } from "@parley/db/media";
import type { Ctx } from "../context.ts";
import { type Setback, toJobError } from "../setback.ts";
import { isLive } from "./job-row.ts";

/** Ends a job that has not ended with the reason. Twice is once. */
export async function failJob({ db, env, clock }: Ctx, ref: JobRef, reason: Setback): Promise<void> {
	const [failed] = await db
		.update(jobs)
		.set({
			status: "FAILED",
			error: toJobError(reason),
			...endOfJob(clock(), Number(env.RETENTION_DAYS)),
		})
		.where(isLive(ref))
		.returning({ organisationId: jobs.organisationId, jobId: jobs.jobId });
	if (failed) await removeObjects(env.MEDIA, workPrefix(failed));
}

import { releaseDeliveries } from "@parley/batch/deliveries";
import { reportJob } from "@parley/batch/events/report-jobs";
import { endOfJob } from "@parley/batch/job-end";
import { isLive, toJobKey } from "@parley/batch/job-predicates";
import { workPrefix } from "@parley/batch/object-keys";
import { removeObjects, removeUnusedInput } from "@parley/batch/stored-objects";
import type { JobRef } from "@parley/contracts/internal/queue-messages";
import { jobs } from "@parley/db/batch/jobs";
import type { Ctx } from "../context.ts";
import { sendDeliveries } from "../messages/send-deliveries.ts";
import { type StepError, toJobError } from "../step-error.ts";

/**
 * Ends a job that has not ended with the reason. A job that fails because of its input loses the input at once. Calling it
 * again has no further effect.
 */
export async function failJob(ctx: Ctx, ref: JobRef, reason: StepError): Promise<void> {
	const { db, env, clock } = ctx;
	const now = clock();
	const job = { organisationId: ref.organisation_id, jobId: ref.job_id };
	const isInputBad = reason.code.startsWith("input_");
	const [[failed], due] = await db.batch([
		db
			.update(jobs)
			.set({
				status: "FAILED",
				error: toJobError(reason),
				...(isInputBad && { inputKey: null }),
				...endOfJob(now, Number(env.RETENTION_DAYS)),
			})
			.where(isLive(toJobKey(ref)))
			.returning(),
		releaseDeliveries(db, job, "FAILED", now),
	]);
	await sendDeliveries(ctx, due);
	if (!failed) return;
	reportJob(ctx, failed);
	await removeObjects(env.MEDIA, workPrefix(job));
	await removeUnusedInput(env.MEDIA, failed);
}

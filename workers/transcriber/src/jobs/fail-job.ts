import type { JobRef } from "@parley/contracts/queue-messages";
import { releaseDeliveries } from "@parley/db/deliveries";
import { endOfJob, jobs } from "@parley/db/jobs";
import { removeObjects, workPrefix } from "@parley/db/media";
import type { Ctx } from "../context.ts";
import { type Setback, toJobError } from "../setback.ts";
import { sendDeliveries } from "../webhooks/send-deliveries.ts";
import { isLive } from "./job-row.ts";

/** Ends a job that has not ended with the reason. Twice is once. */
export async function failJob(ctx: Ctx, ref: JobRef, reason: Setback): Promise<void> {
	const { db, env, clock } = ctx;
	const now = clock();
	const job = { organisationId: ref.organisation_id, jobId: ref.job_id };
	const [failed, due] = await db.batch([
		db
			.update(jobs)
			.set({
				status: "FAILED",
				error: toJobError(reason),
				...endOfJob(now, Number(env.RETENTION_DAYS)),
			})
			.where(isLive(ref))
			.returning({ id: jobs.id }),
		releaseDeliveries(db, job, "FAILED", now),
	]);
	await sendDeliveries(ctx, due);
	if (failed.length > 0) await removeObjects(env.MEDIA, workPrefix(job));
}

import { reportJob } from "@parley/batch/events/report-jobs";
import { usageAccount } from "@parley/context/actor";
import type { SealedNotification } from "@parley/contracts/batch/webhooks";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { jobs } from "@parley/db/batch/jobs";
import { uploads } from "@parley/db/batch/uploads";
import { isUniqueViolation } from "@parley/db/client";
import { and, eq, exists, isNull, not, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Ctx } from "../context.ts";
import { hasCredits, insufficientCredits } from "../credits.ts";
import { uploadTaken } from "../uploads/take-upload.ts";
import { insertDeliveries, toShown } from "../webhooks/notifications.ts";

/** Nobody has moved a new job by then: its message is taken for lost. */
const WAKE_AFTER_MS = 30_000;
const HOUR_MS = 3_600_000;

export type NewJob = Omit<
	typeof jobs.$inferInsert,
	"organisationId" | "apiKeyId" | "status" | "wakeAt" | "deadlineAt" | "submittedAt" | "updatedAt"
> & {
	/** Who is told of its end. */
	notifications: SealedNotification[];
};

/**
 * The job's row and its deliveries', in one batch with all that it depends on: credits are left, no upload has reserved its id, and its own
 * upload, if it has one, is still there to be taken.
 * @returns `taken` when the job_id is another job's.
 * @throws ApiError INSUFFICIENT_CREDITS, or INVALID_REQUEST when the upload went to another job meanwhile.
 */
export async function createJob(
	ctx: Ctx,
	{ notifications, ...job }: NewJob,
	upload?: { isThere: SQL; take: BatchItem<"sqlite"> },
): Promise<"created" | "taken"> {
	const { db, actor, clock, env } = ctx;
	const organisationId = actor.organisation.id;
	const now = clock().getTime();
	const at = (ms: number) => new Date(now + ms).toISOString();
	const shown = notifications.map(toShown);
	const row = {
		...job,
		jobConfig: { ...job.jobConfig, ...(shown.length > 0 && { notification_config: shown }) },
		organisationId,
		apiKeyId: usageAccount(actor),
		status: "QUEUED" as const,
		wakeAt: at(WAKE_AFTER_MS),
		deadlineAt: at(Number(env.JOB_DEADLINE_HOURS) * HOUR_MS),
		submittedAt: at(0),
		updatedAt: at(0),
	};
	try {
		await db.batch([
			db.insert(jobs).values(row),
			...insertDeliveries(ctx, job.jobId, notifications),
			assertThat(db, hasCredits(ctx), "no_credits"),
			...(upload
				? [assertThat(db, upload.isThere, "upload_gone"), upload.take]
				: [assertThat(db, isNotReserved(ctx, job.jobId), "reserved")]),
		]);
		reportJob(ctx, { ...row, chunkCount: null, chunksDone: 0, error: null, completedAt: null });
		return "created";
	} catch (error) {
		if (isUniqueViolation(error)) return "taken";
		switch (failedAssertion(error)) {
			case "no_credits":
				throw insufficientCredits();
			case "reserved":
				return "taken";
			case "upload_gone":
				throw uploadTaken();
			default:
				throw error;
		}
	}
}

function isNotReserved({ db, actor }: Ctx, jobId: string): SQL {
	const { organisationId, jobId: reserved, abortedAt } = uploads;
	const holder = and(eq(organisationId, actor.organisation.id), eq(reserved, jobId), isNull(abortedAt));
	return not(exists(db.select({ reserved }).from(uploads).where(holder)));
}

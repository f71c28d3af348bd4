import type { TERMINAL_STATUSES } from "@parley/contracts/batch/jobs";
import type { JobEvent } from "@parley/contracts/batch/webhooks";
import { deliveries } from "@parley/db/batch/deliveries";
import { jobs } from "@parley/db/batch/jobs";
import type { Database } from "@parley/db/client";
import { and, eq, exists, type SQL } from "drizzle-orm";
import { isJob } from "./job-predicates.ts";
import type { JobKey } from "./object-keys.ts";

/** Time after which the sweeper assumes that a delivery's message is lost. */
export const DELIVERY_GRACE_MS = 60_000;

type End = (typeof TERMINAL_STATUSES)[number];

const EVENTS: Record<End, JobEvent> = {
	DONE: "job.completed",
	FAILED: "job.failed",
	CANCELLED: "job.cancelled",
};

/** Condition for the deliveries of a job. */
export const deliveriesOf = ({ organisationId, jobId }: JobKey): SQL | undefined =>
	and(eq(deliveries.organisationId, organisationId), eq(deliveries.jobId, jobId));

/** Returns the columns of a delivery that is due now. */
export const dueNow = (now: Date) => ({
	status: "pending" as const,
	dueAt: now.toISOString(),
	wakeAt: new Date(now.getTime() + DELIVERY_GRACE_MS).toISOString(),
	claims: 0,
});

/**
 * Returns the statement that makes a job's deliveries due. It belongs in the batch that ends the job, behind the statement that
 * does so: if that one changes nothing, neither does this one. It answers the deliveries to send.
 */
export const releaseDeliveries = (db: Database, job: JobKey, end: End, now: Date) => {
	const ended = and(isJob(job), eq(jobs.status, end));
	const isEnded = exists(db.select({ id: jobs.id }).from(jobs).where(ended));
	return db
		.update(deliveries)
		.set({ event: EVENTS[end], ...dueNow(now) })
		.where(and(deliveriesOf(job), eq(deliveries.status, "waiting"), isEnded))
		.returning({ organisation_id: deliveries.organisationId, delivery_id: deliveries.id });
};

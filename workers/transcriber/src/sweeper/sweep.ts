import { toJobRef } from "@parley/batch/job-predicates";
import { logError } from "@parley/context/log";
import { jobs } from "@parley/db/batch/jobs";
import { and, asc, isNotNull, lte } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { resumeJob } from "../jobs/resume-job.ts";
import { sendMessages } from "../messages/send-messages.ts";
import { removeExpiredUploads } from "./expired-uploads.ts";
import { sendLostDeliveries } from "./lost-deliveries.ts";
import { removeOrphans } from "./orphans.ts";

const MINUTE_MS = 60_000;
const MAX_JOBS = 1500;
/** Number of overdue jobs that the run resumes itself, so that they do not depend on the queue. */
const MAX_RESUMED = 50;
const AT_ONCE = 10;

/**
 * Resumes work that has stopped, by what the database says alone. Runs each minute over all organisations; no other statement on
 * jobs leaves the organisation out.
 */
export async function sweep(ctx: Ctx): Promise<void> {
	for (const part of [resumeOverdue, scheduleNext, sendLostDeliveries, removeExpiredUploads, removeOrphans]) {
		await part(ctx).catch((error) => logError(`sweeping: ${part.name}`, error));
	}
}

async function resumeOverdue(ctx: Ctx): Promise<void> {
	const overdue = await jobsDueBy(ctx, ctx.clock(), MAX_RESUMED);
	for (let from = 0; from < overdue.length; from += AT_ONCE) {
		const wakes = overdue.slice(from, from + AT_ONCE).map(async ({ ref }) => {
			await resumeJob(ctx, ref).catch((error) => logError("could not resume a job", error, ref));
		});
		await Promise.all(wakes);
	}
}

/**
 * Sends a delayed message for each job that is due before the next run, so that a job whose worker died resumes when its lease
 * ends and not up to a minute later.
 */
async function scheduleNext(ctx: Ctx): Promise<void> {
	const now = ctx.clock().getTime();
	const next = await jobsDueBy(ctx, new Date(now + MINUTE_MS), MAX_JOBS);
	const messages = next.map(({ ref, wakeAt }) => ({
		body: { ...ref, type: "WakeJob" as const },
		delaySeconds: Math.max(0, Math.ceil((Date.parse(wakeAt) - now) / 1000)),
	}));
	await sendMessages(ctx, messages);
}

async function jobsDueBy({ db }: Ctx, time: Date, limit: number) {
	const rows = await db
		.select({ organisationId: jobs.organisationId, jobId: jobs.jobId, wakeAt: jobs.wakeAt })
		.from(jobs)
		.where(and(isNotNull(jobs.wakeAt), lte(jobs.wakeAt, time.toISOString())))
		.orderBy(asc(jobs.wakeAt))
		.limit(limit);
	return rows.map((row) => ({ ref: toJobRef(row), wakeAt: row.wakeAt ?? "" }));
}

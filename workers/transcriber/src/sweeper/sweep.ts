import { logError } from "@parley/context/log";
import { jobs } from "@parley/db/jobs";
import { and, asc, isNotNull, lte } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { refOf } from "../jobs/job-row.ts";
import { wakeJob } from "../jobs/wake-job.ts";
import { sendAll } from "../queue/send.ts";
import { removeLapsedUploads } from "./lapsed-uploads.ts";
import { sendLostDeliveries } from "./lost-deliveries.ts";
import { removeStrays } from "./strays.ts";

const MINUTE_MS = 60_000;
const MAX_JOBS = 1500;
/** Looked after here, so that the most overdue do not depend on the queue; a run may only ask so much of the database. */
const MAX_AT_HAND = 50;
const AT_ONCE = 10;

/**
 * Runs each minute, over all organisations: the one reader of jobs that names none. Whatever was begun and not carried on is
 * carried on from here, from what the database says alone.
 */
export async function sweep(ctx: Ctx): Promise<void> {
	for (const part of [wakeOverdue, announceNext, sendLostDeliveries, removeLapsedUploads, removeStrays]) {
		await part(ctx).catch((error) => logError(`sweeping: ${part.name}`, error));
	}
}

async function wakeOverdue(ctx: Ctx): Promise<void> {
	const overdue = await jobsToWakeBy(ctx, ctx.clock(), MAX_AT_HAND);
	for (let from = 0; from < overdue.length; from += AT_ONCE) {
		const wakes = overdue.slice(from, from + AT_ONCE).map(async ({ ref }) => {
			await wakeJob(ctx, ref).catch((error) => logError("waking a job", error, ref));
		});
		await Promise.all(wakes);
	}
}

/**
 * Jobs whose time comes before the next run get a message that arrives in time, so that a job whose worker died goes on as
 * soon as its lease is over and not up to a minute later.
 */
async function announceNext(ctx: Ctx): Promise<void> {
	const now = ctx.clock().getTime();
	const next = await jobsToWakeBy(ctx, new Date(now + MINUTE_MS), MAX_JOBS);
	const messages = next.map(({ ref, wakeAt }) => ({
		body: { ...ref, type: "WakeJob" as const },
		delaySeconds: Math.max(0, Math.ceil((Date.parse(wakeAt) - now) / 1000)),
	}));
	await sendAll(ctx, messages);
}

async function jobsToWakeBy({ db }: Ctx, time: Date, limit: number) {
	const rows = await db
		.select({ organisationId: jobs.organisationId, jobId: jobs.jobId, wakeAt: jobs.wakeAt })
		.from(jobs)
		.where(and(isNotNull(jobs.wakeAt), lte(jobs.wakeAt, time.toISOString())))
		.orderBy(asc(jobs.wakeAt))
		.limit(limit);
	return rows.map((row) => ({ ref: refOf(row), wakeAt: row.wakeAt ?? "" }));
}

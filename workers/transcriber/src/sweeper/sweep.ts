import { jobs } from "@parley/db/jobs";
import { and, asc, gt, isNotNull, lte } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { refOf } from "../jobs/job-row.ts";
import { wakeJob } from "../jobs/wake-job.ts";
import { logError } from "../log.ts";
import { sendAll } from "../queue/send.ts";
import { removeLapsedUploads } from "./lapsed-uploads.ts";
import { removeStrays } from "./strays.ts";

const MINUTE_MS = 60_000;
const MAX_JOBS = 500;
const AT_ONCE = 10;

/**
 * Runs each minute, over all organisations: the one reader of jobs that names none. Whatever was begun and not carried on is
 * carried on from here, from what the database says alone.
 */
export async function sweep(ctx: Ctx): Promise<void> {
	for (const part of [wakeDue, announceNext, removeLapsedUploads, removeStrays]) {
		await part(ctx).catch((error) => logError(`sweeping: ${part.name}`, error));
	}
}

async function wakeDue(ctx: Ctx): Promise<void> {
	const now = ctx.clock().toISOString();
	const due = await ctx.db
		.select({ organisationId: jobs.organisationId, jobId: jobs.jobId })
		.from(jobs)
		.where(and(isNotNull(jobs.wakeAt), lte(jobs.wakeAt, now)))
		.orderBy(asc(jobs.wakeAt))
		.limit(MAX_JOBS);
	for (let from = 0; from < due.length; from += AT_ONCE) {
		const wakes = due.slice(from, from + AT_ONCE).map(async (row) => {
			await wakeJob(ctx, refOf(row)).catch((error) => logError("waking a job", error, refOf(row)));
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
	const soon = await ctx.db
		.select({ organisationId: jobs.organisationId, jobId: jobs.jobId, wakeAt: jobs.wakeAt })
		.from(jobs)
		.where(
			and(
				isNotNull(jobs.wakeAt),
				gt(jobs.wakeAt, new Date(now).toISOString()),
				lte(jobs.wakeAt, new Date(now + MINUTE_MS).toISOString()),
			),
		)
		.orderBy(asc(jobs.wakeAt))
		.limit(MAX_JOBS);
	const messages = soon.map(({ wakeAt, ...row }) => ({
		body: { type: "WakeJob" as const, ...refOf(row) },
		delaySeconds: Math.ceil((Date.parse(wakeAt ?? "") - now) / 1000),
	}));
	await sendAll(ctx, messages);
}

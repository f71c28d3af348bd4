import { isTerminal } from "@parley/contracts/jobs";
import type { JobRef } from "@parley/contracts/queue-messages";
import { deliveries, deliveriesOf } from "@parley/db/deliveries";
import { eraseJob } from "@parley/db/erase-job";
import { chunkPosition, chunksOf, jobChunks } from "@parley/db/job-chunks";
import { type JobRow, jobs } from "@parley/db/jobs";
import { removeJobFiles } from "@parley/db/media";
import { and, asc, eq, isNull } from "drizzle-orm";
import { lanesOf, toChunkMessage } from "../chunks/lanes.ts";
import type { Ctx } from "../context.ts";
import { LEASE_MS } from "../lease.ts";
import { type Outgoing, sendAll } from "../queue/send.ts";
import { Setback } from "../setback.ts";
import { failJob } from "./fail-job.ts";
import { findJob, isJob, refOf } from "./job-row.ts";

/** Between two pushes at most: by then a message that is only waiting in a long queue has been doubled a few times, no more. */
const MAX_PAUSE_MS = 300_000;

/**
 * Looks after a job whose time to wake has come: gives a living one that nobody works on its message again, ends one that is
 * past its deadline, and removes what is deleted or expired.
 */
export async function wakeJob(ctx: Ctx, ref: JobRef): Promise<void> {
	const row = await findJob(ctx, ref);
	const now = ctx.clock().toISOString();
	if (!row?.wakeAt || row.wakeAt > now) return;
	if (row.deletedAt !== null) {
		await eraseJob(ctx.db, ctx.env.MEDIA, row, ctx.clock());
		return;
	}
	if (isTerminal(row.status)) return expireJob(ctx, row);
	if (row.deadlineAt <= now) {
		const reason = "The job did not end within the time that jobs are given.";
		return failJob(ctx, ref, new Setback("deadline_exceeded", reason, { retryable: true }));
	}
	const { messages, leasedUntil } = await whatIsDue(ctx, row);
	if (leasedUntil !== undefined) return sleepUntil(ctx, row, leasedUntil, row.pushes);
	await sendAll(ctx, messages);
	const pauseMs = Math.min(LEASE_MS * 2 ** row.pushes, MAX_PAUSE_MS);
	await sleepUntil(ctx, row, new Date(ctx.clock().getTime() + pauseMs).toISOString(), row.pushes + 1);
}

type Due = { messages: Outgoing[]; leasedUntil?: string };

/** The messages that move the job on, or until when somebody is at work on it. */
async function whatIsDue(ctx: Ctx, row: JobRow): Promise<Due> {
	const now = ctx.clock().toISOString();
	const ref = refOf(row);
	if (row.leaseUntil !== null && row.leaseUntil > now) return { messages: [], leasedUntil: row.leaseUntil };
	if (row.status === "QUEUED" || row.status === "IN_PROGRESS")
		return { messages: [{ body: { ...ref, type: row.inputKey === null ? "FetchInput" : "StartJob" } }] };
	if (row.status === "POST_PROCESSING") return { messages: [{ body: { ...ref, type: "FinishJob" } }] };
	const open = await ctx.db
		.select({ id: jobChunks.id, leaseUntil: jobChunks.leaseUntil })
		.from(jobChunks)
		.where(and(chunksOf(row), isNull(jobChunks.doneAt)))
		.orderBy(asc(jobChunks.id));
	const leases = open.flatMap(({ leaseUntil }) => (leaseUntil && leaseUntil > now ? [leaseUntil] : []));
	const [soonest] = leases.sort();
	// While one chunk is in work the queue is alive, and the others are only waiting for their turn.
	if (soonest !== undefined) return { messages: [], leasedUntil: soonest };
	const next = open.slice(0, lanesOf(ctx));
	return { messages: next.map(({ id }) => toChunkMessage(ref, chunkPosition(id))) };
}

/** Only if nobody has set another time meanwhile. */
async function sleepUntil({ db }: Ctx, row: JobRow, wakeAt: string, pushes: number): Promise<void> {
	await db
		.update(jobs)
		.set({ wakeAt, pushes })
		.where(and(isJob(refOf(row)), eq(jobs.wakeAt, row.wakeAt ?? ""), eq(jobs.status, row.status)));
}

/** The end of a job's retention: its files go, and whom it told; its record says so and stays. */
async function expireJob({ db, env, clock }: Ctx, row: JobRow): Promise<void> {
	await removeJobFiles(env.MEDIA, row);
	await db.batch([
		db.delete(jobChunks).where(chunksOf(row)),
		db.delete(deliveries).where(deliveriesOf(row)),
		db
			.update(jobs)
			.set({ wakeAt: null, inputKey: null, filesRemovedAt: clock().toISOString() })
			.where(and(isJob(refOf(row)), isNull(jobs.filesRemovedAt))),
	]);
}

import { deliveriesOf } from "@parley/batch/deliveries";
import { eraseJob } from "@parley/batch/erase-job";
import { chunksOf, isJob, isTerminal, toJobRef } from "@parley/batch/job-predicates";
import { outputPrefix } from "@parley/batch/object-keys";
import { revisionsOf } from "@parley/batch/revisions";
import { unindexTranscript } from "@parley/batch/search-index";
import { removeJobObjects, removeObjects } from "@parley/batch/stored-objects";
import { LEASE_MS } from "@parley/context/lease";
import type { JobRef } from "@parley/contracts/internal/queue-messages";
import { deliveries } from "@parley/db/batch/deliveries";
import { chunkPosition, jobChunks } from "@parley/db/batch/job-chunks";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { revisions } from "@parley/db/batch/revisions";
import { and, asc, eq, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { type OutgoingMessage, sendMessages } from "../messages/send-messages.ts";
import { StepError } from "../step-error.ts";
import { failJob } from "./fail-job.ts";
import { findJob } from "./job-row.ts";
import { chunksInFlight, toChunkMessage } from "./next-chunks.ts";

/** Longest time between two resends. */
const MAX_RESEND_DELAY_MS = 300_000;

/**
 * Resumes a job that is due: resends the message of one that nobody works on, ends one that is past its deadline, and removes the
 * files of a deleted or expired one.
 */
export async function resumeJob(ctx: Ctx, ref: JobRef): Promise<void> {
	const row = await findJob(ctx, ref);
	const now = ctx.clock().toISOString();
	if (!row?.wakeAt || row.wakeAt > now) return;
	if (row.deletedAt !== null) {
		await eraseJob(ctx.db, ctx.env.MEDIA, row, ctx.clock());
		return;
	}
	if (isTerminal(row.status)) return expireJob(ctx, row);
	if (row.deadlineAt <= now) {
		const reason = "The job did not end before its deadline.";
		return failJob(ctx, ref, new StepError("deadline_exceeded", reason, { retryable: true }));
	}
	const { messages, leasedUntil } = await findDueMessages(ctx, row);
	if (leasedUntil !== undefined) return resumeAt(ctx, row, leasedUntil, row.pushes);
	await sendMessages(ctx, messages);
	const delayMs = Math.min(LEASE_MS * 2 ** row.pushes, MAX_RESEND_DELAY_MS);
	await resumeAt(ctx, row, new Date(ctx.clock().getTime() + delayMs).toISOString(), row.pushes + 1);
}

type Due = { messages: OutgoingMessage[]; leasedUntil?: string };

/** Finds the messages that a job needs, or the end of the lease of a worker that is at it. */
async function findDueMessages(ctx: Ctx, row: JobRow): Promise<Due> {
	const now = ctx.clock().toISOString();
	const ref = toJobRef(row);
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
	// While one chunk is being recognised, the others only wait for their turn.
	if (soonest !== undefined) return { messages: [], leasedUntil: soonest };
	const next = open.slice(0, chunksInFlight(ctx));
	return { messages: next.map(({ id }) => toChunkMessage(ref, chunkPosition(id))) };
}

/** Sets when the job is due again, unless that has changed meanwhile. */
async function resumeAt({ db }: Ctx, row: JobRow, wakeAt: string, pushes: number): Promise<void> {
	await db
		.update(jobs)
		.set({ wakeAt, pushes })
		.where(and(isJob(row), eq(jobs.wakeAt, row.wakeAt ?? ""), eq(jobs.status, row.status)));
}

/** Removes the files and deliveries of a job whose retention has ended. Its record stays and says so. */
async function expireJob({ db, env, clock }: Ctx, row: JobRow): Promise<void> {
	await removeJobObjects(env.MEDIA, row);
	await db.batch([
		db.delete(jobChunks).where(chunksOf(row)),
		db.delete(deliveries).where(deliveriesOf(row)),
		db.delete(revisions).where(revisionsOf(row)),
		...unindexTranscript(db, row),
		db
			.update(jobs)
			.set({ wakeAt: null, inputKey: null, filesRemovedAt: clock().toISOString() })
			.where(and(isJob(row), isNull(jobs.filesRemovedAt))),
	]);
	// A revision that was being saved meanwhile has stored its words, and is refused now.
	await removeObjects(env.MEDIA, outputPrefix(row));
}

import { TERMINAL_STATUSES } from "@parley/contracts/batch/jobs";
import { sandboxSlots } from "@parley/db/agents/sandbox-slots";
import { deliveries } from "@parley/db/batch/deliveries";
import { jobChunks, MAX_CHUNKS } from "@parley/db/batch/job-chunks";
import { jobs } from "@parley/db/batch/jobs";
import { and, eq, exists, isNotNull, isNull, lte, notInArray, or, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Number of claims after which we assume that the work crashes its worker. */
const MAX_CLAIMS = 3;

/**
 * Releases everything that workers hold, of all organisations, and makes it due at once. Only for a stack that has just started:
 * no worker that held anything is alive, and no message about it is in a queue.
 */
export async function releaseLeases({ db, clock }: Ctx): Promise<void> {
	const now = clock().toISOString();
	const free = { leaseToken: null, leaseUntil: null };
	const isOpen = or(notInArray(jobs.status, TERMINAL_STATUSES), isNotNull(jobs.deletedAt));
	const jobOfChunk = db
		.select({ id: jobs.id })
		.from(jobs)
		.where(and(eq(jobs.id, sql`${jobChunks.id} / ${MAX_CHUNKS}`), isOpen));
	await db.batch([
		db
			.update(jobChunks)
			.set(free)
			.where(
				and(
					isNotNull(jobChunks.leaseUntil),
					isNull(jobChunks.doneAt),
					lte(jobChunks.attempts, MAX_CLAIMS),
					exists(jobOfChunk),
				),
			),
		db
			.update(jobs)
			.set({ ...free, wakeAt: now, pushes: 0 })
			.where(and(isOpen, lte(jobs.claims, MAX_CLAIMS))),
		db
			.update(deliveries)
			.set({ ...free, wakeAt: sql`max(${deliveries.dueAt}, ${now})` })
			.where(
				and(
					eq(deliveries.status, "pending"),
					isNotNull(deliveries.dueAt),
					lte(deliveries.claims, MAX_CLAIMS),
				),
			),
		db.delete(sandboxSlots),
	]);
}

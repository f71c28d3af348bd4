import { type JobRow, jobs } from "@parley/db/jobs";
import { and, eq, or, type SQL } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { leaseEnd } from "../lease.ts";
import { isJob, isUnleased, refOf } from "./job-row.ts";

export const isFinishing = (row: JobRow): SQL | undefined =>
	and(isJob(refOf(row)), eq(jobs.status, "POST_PROCESSING"));

export const isHeld = ({ clock }: Ctx, { leaseUntil }: JobRow): boolean =>
	leaseUntil !== null && leaseUntil > clock().toISOString();

/**
 * Takes or extends the lease of a job that is being finished, and changes nothing else of it: what is written of the job's
 * row must be the same, whoever writes it. @returns whether it is held.
 */
export async function holdJob({ db, clock }: Ctx, row: JobRow, leaseToken: string): Promise<boolean> {
	const now = clock();
	const free = or(isUnleased(now), eq(jobs.leaseToken, leaseToken));
	const held = await db
		.update(jobs)
		.set({ leaseToken, leaseUntil: leaseEnd(now) })
		.where(and(isFinishing(row), free))
		.returning({ id: jobs.id });
	return held.length > 0;
}

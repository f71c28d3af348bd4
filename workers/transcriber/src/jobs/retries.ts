import type { JobRef, TranscriptionMessage } from "@parley/contracts/queue-messages";
import { jobs, type Retry } from "@parley/db/jobs";
import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import type { OnSetback } from "../extras/persist.ts";
import { LEASE_MS } from "../lease.ts";
import { toJobError, toSetback } from "../setback.ts";
import { isLive } from "./job-row.ts";

/** The name that a message's work has among what its job tries again; a look at a job is no work of it. */
export function workOf(message: TranscriptionMessage): string | undefined {
	switch (message.type) {
		case "TranscribeChunk":
			return chunkWork(message.position);
		case "WakeJob":
			return undefined;
		default:
			return "job";
	}
}

export const chunkWork = (position: number): string => `chunk ${position}`;

/**
 * Says in a job's record what will be tried again and why, and leaves the job alone until that try could have begun: else
 * the sweeper would take it for forgotten and send its message once more, and again.
 */
export async function awaitRetry(
	{ db }: Ctx,
	ref: JobRef,
	work: string | undefined,
	retry: Retry,
): Promise<void> {
	const wakeAt = new Date(Date.parse(retry.nextAttemptAt) + LEASE_MS).toISOString();
	await db
		.update(jobs)
		.set({
			wakeAt: sql`max(${jobs.wakeAt}, ${wakeAt})`,
			...(work !== undefined && { retries: patched({ [work]: retry }) }),
		})
		.where(isLive(ref));
}

/** For work that is tried again within one call: tells of it in the job's record, and takes that back when it is over. */
export function tellRetries(
	ctx: Ctx,
	ref: JobRef,
	work: string,
): { onSetback: OnSetback; over: () => Promise<void> } {
	let isTold = false;
	return {
		onSetback: async (attempts, error, waitMs) => {
			isTold = true;
			const nextAttemptAt = new Date(ctx.clock().getTime() + waitMs).toISOString();
			await awaitRetry(ctx, ref, work, { attempts, error: toJobError(toSetback(error)), nextAttemptAt });
		},
		over: async () => {
			if (isTold)
				await ctx.db
					.update(jobs)
					.set({ retries: retriesWithout(work) })
					.where(isLive(ref));
		},
	};
}

/** A job's retries without those of work that has come through, for the statement which says so. */
export const retriesWithout = (work: string): SQL => patched({ [work]: null });

/** RFC 7396: null removes. What there is not stays null, unless something is added. */
const patched = (change: Record<string, Retry | null>): SQL =>
	Object.values(change).includes(null)
		? sql`json_patch(${jobs.retries}, ${JSON.stringify(change)})`
		: sql`json_patch(coalesce(${jobs.retries}, '{}'), ${JSON.stringify(change)})`;

import { isLive, toJobKey } from "@parley/batch/job-predicates";
import { LEASE_MS } from "@parley/context/lease";
import type { JobRef, TranscriptionMessage } from "@parley/contracts/internal/queue-messages";
import { jobs, type Retry } from "@parley/db/batch/jobs";
import { type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { toJobError, toStepError } from "../step-error.ts";
import type { OnRetry } from "../with-retries.ts";

/** Returns the name of a message's work among the retries of its job. A resume has none. */
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
 * Records the next attempt and its reason in the job, and keeps the sweeper from resending the job's message before that attempt
 * could have begun.
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
		.where(isLive(toJobKey(ref)));
}

/** Records retries that happen within one call, and clears the record when the work is done. */
export function recordRetries(
	ctx: Ctx,
	ref: JobRef,
	work: string,
): { onRetry: OnRetry; clear: () => Promise<void> } {
	let isRecorded = false;
	return {
		onRetry: async (attempts, error, waitMs) => {
			isRecorded = true;
			const nextAttemptAt = new Date(ctx.clock().getTime() + waitMs).toISOString();
			await awaitRetry(ctx, ref, work, { attempts, error: toJobError(toStepError(error)), nextAttemptAt });
		},
		clear: async () => {
			if (isRecorded)
				await ctx.db
					.update(jobs)
					.set({ retries: retriesWithout(work) })
					.where(isLive(toJobKey(ref)));
		},
	};
}

/** Returns an expression for a job's retries without those of completed work. */
export const retriesWithout = (work: string): SQL => patched({ [work]: null });

/** Merges by RFC 7396, where null removes. Absent retries stay null unless one is added. */
const patched = (change: Record<string, Retry | null>): SQL =>
	Object.values(change).includes(null)
		? sql`json_patch(${jobs.retries}, ${JSON.stringify(change)})`
		: sql`json_patch(coalesce(${jobs.retries}, '{}'), ${JSON.stringify(change)})`;

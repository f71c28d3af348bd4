import { isTerminal, toJobRef } from "@parley/batch/job-predicates";
import { inputPrefix } from "@parley/batch/object-keys";
import { removeObjects } from "@parley/batch/stored-objects";
import type { JobRow } from "@parley/db/batch/jobs";
import type { Ctx } from "../context.ts";
import { findJob } from "./job-row.ts";

/**
 * Removes objects under these prefixes that were stored after the lease was lost. Keeps everything of a job that has not ended.
 * Of an ended job it removes the work, and the input if the row names none.
 */
export async function removeAfterLeaseLost(ctx: Ctx, job: JobRow, prefixes: string[]): Promise<void> {
	const row = await findJob(ctx, toJobRef(job));
	if (row && !isTerminal(row.status)) return;
	for (const prefix of prefixes) {
		if (!row || prefix.startsWith("work/")) await removeObjects(ctx.env.MEDIA, prefix);
	}
	if (row?.inputKey === null) await removeObjects(ctx.env.MEDIA, inputPrefix(row));
}

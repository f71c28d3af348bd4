import { isTerminal } from "@parley/contracts/jobs";
import type { JobRow } from "@parley/db/jobs";
import { inputPrefix, removeObjects } from "@parley/db/media";
import type { Ctx } from "../context.ts";
import { findJob, refOf } from "./job-row.ts";

/**
 * Removes what work on a job may have stored under these prefixes since its lease was lost. Nothing is removed of a job that
 * has not ended; of one that has ended the work goes, and the input if its row names none.
 */
export async function removeAfterLoss(ctx: Ctx, job: JobRow, prefixes: string[]): Promise<void> {
	const row = await findJob(ctx, refOf(job));
	if (row && !isTerminal(row.status)) return;
	for (const prefix of prefixes) {
		if (!row || prefix.startsWith("work/")) await removeObjects(ctx.env.MEDIA, prefix);
	}
	if (row?.inputKey === null) await removeObjects(ctx.env.MEDIA, inputPrefix(row));
}

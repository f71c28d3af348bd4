import { isTerminal } from "@parley/contracts/jobs";
import type { JobRow } from "@parley/db/jobs";
import { removeObjects } from "@parley/db/media";
import type { Ctx } from "../context.ts";
import { findJob, refOf } from "./job-row.ts";

/**
 * Whoever lost the race for a job removes what it may have stored under these prefixes meanwhile, unless somebody still wants
 * it: a living job does, and one that has ended wants all but its work.
 */
export async function removeAfterLoss(ctx: Ctx, job: JobRow, prefixes: string[]): Promise<void> {
	const row = await findJob(ctx, refOf(job));
	if (row && !isTerminal(row.status)) return;
	for (const prefix of prefixes) {
		if (!row || prefix.startsWith("work/")) await removeObjects(ctx.env.MEDIA, prefix);
	}
}

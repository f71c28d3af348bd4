import { reportJob } from "@parley/batch/events/report-jobs";
import { toJobRef } from "@parley/batch/job-predicates";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { chunkId, jobChunks } from "@parley/db/batch/job-chunks";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { and, eq, exists, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { sendMessages } from "../messages/send-messages.ts";
import { isFinishing } from "./finishing-lease.ts";
import { toChunkMessage } from "./next-chunks.ts";

/** Has chunks recognised again whose results are lost, if the job still needs them. */
export async function reopenChunks(ctx: Ctx, row: JobRow, positions: number[]): Promise<void> {
	const { db, clock } = ctx;
	const waiting = db.select({ id: jobs.id }).from(jobs).where(isFinishing(row));
	const ids = JSON.stringify(positions.map((position) => chunkId(row.id, position)));
	const updatedAt = clock().toISOString();
	try {
		await db.batch([
			assertThat(db, exists(waiting), "moved_on"),
			db
				.update(jobChunks)
				.set({ doneAt: null })
				.where(
					and(
						eq(jobChunks.organisationId, row.organisationId),
						sql`${jobChunks.id} in (select value from json_each(${ids}))`,
					),
				),
			db
				.update(jobs)
				.set({
					status: "DECODING",
					retries: null,
					chunksDone: sql`${jobs.chunksDone} - ${positions.length}`,
					updatedAt,
				})
				.where(isFinishing(row)),
		]);
	} catch (error) {
		if (failedAssertion(error) === "moved_on") return;
		throw error;
	}
	const chunksDone = row.chunksDone - positions.length;
	reportJob(ctx, { ...row, status: "DECODING", chunksDone, updatedAt });
	await sendMessages(
		ctx,
		positions.map((position) => toChunkMessage(toJobRef(row), position)),
	);
}

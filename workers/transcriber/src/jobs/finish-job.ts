import type { OutputMetadata } from "@parley/contracts/jobs";
import type { JobRef } from "@parley/contracts/queue-messages";
import { releaseDeliveries } from "@parley/db/deliveries";
import { endOfJob, type JobRow, jobs } from "@parley/db/jobs";
import { outputPrefix, removeObjects, workPrefix } from "@parley/db/media";
import { organisations } from "@parley/db/organisations";
import { and, eq, exists, isNotNull, sql } from "drizzle-orm";
import { reopenChunks } from "../chunks/reopen-chunks.ts";
import type { Ctx } from "../context.ts";
import { findOutcomes, toResults } from "../extras/outcomes.ts";
import { LeaseLost, whileLeased } from "../lease.ts";
import { sendAll } from "../queue/send.ts";
import { joinChunks } from "../transcripts/join-chunks.ts";
import { lowCoverage } from "../transcripts/judge-coverage.ts";
import { namedEngines, toTranscript, toWords } from "../transcripts/to-transcript.ts";
import { writeOutputs } from "../transcripts/write-outputs.ts";
import { sendDeliveries } from "../webhooks/send-deliveries.ts";
import { removeAfterLoss } from "./after-loss.ts";
import { holdJob, isFinishing, isHeld } from "./hold-job.ts";
import { findJob, refOf } from "./job-row.ts";

/**
 * Joins what the chunks gave, writes the outputs and ends the job, once its extras are made. Two at once write the same bytes
 * and one of them ends it, so the lease is only taken when the work turns out to be long.
 */
export async function finishJob(ctx: Ctx, ref: JobRef): Promise<void> {
	const row = await findJob(ctx, ref);
	if (row?.status !== "POST_PROCESSING" || isHeld(ctx, row)) return;
	try {
		await finish(ctx, row);
	} catch (error) {
		if (!(error instanceof LeaseLost)) throw error;
		await removeAfterLoss(ctx, row, [outputPrefix(row), workPrefix(row)]);
	}
}

async function finish(ctx: Ctx, row: JobRow): Promise<void> {
	const { outcomes, missing } = await findOutcomes(ctx, row);
	if (missing.length > 0) return sendAll(ctx, [{ body: { ...refOf(row), type: "MakeExtras" } }]);
	const extras = toResults(outcomes);
	const leaseToken = crypto.randomUUID();
	const outcome = await whileLeased(
		() => holdJob(ctx, row, leaseToken),
		async (signal) => {
			const heard = await joinChunks(ctx, row);
			if ("missing" in heard) return heard;
			signal.throwIfAborted();
			if (heard.partial && ctx.env.LOW_COVERAGE === "fail") throw lowCoverage(heard);
			const words = toWords(heard, row);
			await writeOutputs(ctx, row, toTranscript(row, words, heard, extras), words);
			return { ...heard, wordCount: words.length };
		},
	);
	if ("missing" in outcome) return reopenChunks(ctx, row, outcome.missing);
	const { coverage, partial, languages, warnings, wordCount } = outcome;
	const isMine = await complete(ctx, row, {
		word_count: wordCount,
		coverage,
		...(partial && { partial }),
		languages,
		warnings: [...warnings, ...extras.warnings],
		...namedEngines(row, outcome),
	});
	if (!isMine) throw new LeaseLost();
	await removeObjects(ctx.env.MEDIA, workPrefix(row));
}

/**
 * DONE, its seconds taken from the balance, and its webhooks due, all or nothing.
 * @returns whether it was this call that did it.
 */
async function complete(ctx: Ctx, row: JobRow, output: OutputMetadata): Promise<boolean> {
	const { db, env, clock } = ctx;
	const now = clock();
	const seconds = Math.ceil(row.inputMetadata.duration_seconds ?? 0);
	const finishing = db.select({ id: jobs.id }).from(jobs).where(isFinishing(row));
	const [, done, due] = await db.batch([
		db
			.update(organisations)
			.set({ creditSeconds: sql`${organisations.creditSeconds} - ${seconds}`, updatedAt: now.toISOString() })
			.where(
				and(
					eq(organisations.id, row.organisationId),
					isNotNull(organisations.creditSeconds),
					exists(finishing),
				),
			),
		db
			.update(jobs)
			.set({ status: "DONE", outputMetadata: output, ...endOfJob(now, Number(env.RETENTION_DAYS)) })
			.where(isFinishing(row))
			.returning({ id: jobs.id }),
		releaseDeliveries(db, row, "DONE", now),
	]);
	await sendDeliveries(ctx, due);
	return done.length > 0;
}

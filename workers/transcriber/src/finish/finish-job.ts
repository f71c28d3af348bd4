import { releaseDeliveries } from "@parley/batch/deliveries";
import { reportJob } from "@parley/batch/events/report-jobs";
import { endOfJob } from "@parley/batch/job-end";
import { isJob, toJobRef } from "@parley/batch/job-predicates";
import { outputPrefix, workPrefix } from "@parley/batch/object-keys";
import { indexTranscript } from "@parley/batch/search-index";
import { removeObjects } from "@parley/batch/stored-objects";
import { writePeaks } from "@parley/batch/stored-peaks";
import type { TranscriptWord } from "@parley/batch/transcript-words";
import { LeaseLost, withLease } from "@parley/context/lease";
import type { OutputMetadata } from "@parley/contracts/batch/jobs";
import type { JobRef } from "@parley/contracts/internal/queue-messages";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { organisations } from "@parley/db/platform/organisations";
import { and, eq, exists, isNotNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { isFinishing, isLeased, takeFinishingLease } from "../jobs/finishing-lease.ts";
import { findJob } from "../jobs/job-row.ts";
import { removeAfterLeaseLost } from "../jobs/lease-lost.ts";
import { reopenChunks } from "../jobs/reopen-chunks.ts";
import { sendDeliveries } from "../messages/send-deliveries.ts";
import { sendMessages } from "../messages/send-messages.ts";
import { findOutcomes, toResults } from "../transcripts/extra-outcomes.ts";
import { joinChunks } from "../transcripts/join-chunks.ts";
import { lowCoverage } from "../transcripts/judge-coverage.ts";
import { namedEngines, toTranscript, toWords } from "../transcripts/to-transcript.ts";
import { writeOutputs } from "./write-outputs.ts";

/**
 * Joins the results of the chunks, writes the outputs and ends the job. Does nothing if the job is not in POST_PROCESSING or if
 * another worker holds its lease. If extras are missing, only sends the message that makes them. If results of chunks are
 * missing, has those chunks recognised again.
 *
 * Claims the lease only when the work takes long: two workers write the same bytes, and one of them ends the job.
 */
export async function finishJob(ctx: Ctx, ref: JobRef): Promise<void> {
	const row = await findJob(ctx, ref);
	if (row?.status !== "POST_PROCESSING" || isLeased(ctx, row)) return;
	try {
		await finish(ctx, row);
	} catch (error) {
		if (!(error instanceof LeaseLost)) throw error;
		await removeAfterLeaseLost(ctx, row, [outputPrefix(row), workPrefix(row)]);
	}
}

async function finish(ctx: Ctx, row: JobRow): Promise<void> {
	const { outcomes, missing } = await findOutcomes(ctx, row);
	if (missing.length > 0) return sendMessages(ctx, [{ body: { ...toJobRef(row), type: "MakeExtras" } }]);
	const extras = toResults(outcomes);
	const leaseToken = crypto.randomUUID();
	const outcome = await withLease(
		() => takeFinishingLease(ctx, row, leaseToken),
		async (signal) => {
			const recognised = await joinChunks(ctx, row);
			if ("missing" in recognised) return recognised;
			signal.throwIfAborted();
			if (recognised.partial && ctx.env.LOW_COVERAGE === "fail") throw lowCoverage(recognised);
			const words = toWords(recognised, row);
			await writeOutputs(ctx, row, toTranscript(row, words, recognised, extras), words);
			if (recognised.peaks) await writePeaks(ctx.env.MEDIA, row, recognised.peaks);
			return { ...recognised, spoken: words };
		},
	);
	if ("missing" in outcome) return reopenChunks(ctx, row, outcome.missing);
	const { coverage, partial, languages, warnings, spoken } = outcome;
	const isMine = await complete(ctx, row, spoken, {
		word_count: spoken.length,
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
 * DONE, its seconds taken from the balance, its webhooks due and its words searchable, all or nothing.
 * @returns whether it was this call that did it.
 */
async function complete(
	ctx: Ctx,
	row: JobRow,
	words: readonly TranscriptWord[],
	output: OutputMetadata,
): Promise<boolean> {
	const { db, env, clock } = ctx;
	const now = clock();
	const seconds = Math.ceil(row.inputMetadata.duration_seconds ?? 0);
	const finishing = db.select({ id: jobs.id }).from(jobs).where(isFinishing(row));
	const endedNow = db
		.select({ id: jobs.id })
		.from(jobs)
		.where(and(isJob(row), eq(jobs.status, "DONE"), eq(jobs.completedAt, now.toISOString())));
	const [, [done], due] = await db.batch([
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
			.returning(),
		releaseDeliveries(db, row, "DONE", now),
		...indexTranscript(db, row, words, { condition: exists(endedNow) }),
	]);
	if (done) reportJob(ctx, done);
	await sendDeliveries(ctx, due);
	return done !== undefined;
}

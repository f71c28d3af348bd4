import type { OutputMetadata } from "@parley/contracts/jobs";
import type { JobRef } from "@parley/contracts/queue-messages";
import { endOfJob, type JobRow, jobs } from "@parley/db/jobs";
import { outputPrefix, removeObjects, workPrefix } from "@parley/db/media";
import { organisations } from "@parley/db/organisations";
import { and, eq, exists, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { reopenChunks } from "../chunks/reopen-chunks.ts";
import type { Ctx } from "../context.ts";
import { LeaseLost, leaseEnd, whileLeased } from "../lease.ts";
import { joinChunks } from "../transcripts/join-chunks.ts";
import { toTranscript, toWords } from "../transcripts/to-transcript.ts";
import { writeOutputs } from "../transcripts/write-outputs.ts";
import { removeAfterLoss } from "./after-loss.ts";
import { findJob, isJob, refOf } from "./job-row.ts";

/**
 * Joins what the chunks gave, writes the outputs and ends the job. Two at once write the same bytes and one of them ends it,
 * so the lease is only taken when the work turns out to be long.
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
	const leaseToken = crypto.randomUUID();
	const outcome = await whileLeased(
		() => holdJob(ctx, row, leaseToken),
		async (signal) => {
			const heard = await joinChunks(ctx, row);
			if ("missing" in heard) return heard;
			signal.throwIfAborted();
			const words = toWords(heard, row);
			await writeOutputs(ctx, row, toTranscript(row, words, heard), words);
			return { ...heard, wordCount: words.length };
		},
	);
	if ("missing" in outcome) return reopenChunks(ctx, row, outcome.missing);
	const { coverage, languages, warnings, wordCount } = outcome;
	const isMine = await complete(ctx, row, {
		word_count: wordCount,
		coverage,
		languages,
		warnings,
		engine: row.modelCode,
	});
	if (!isMine) throw new LeaseLost();
	await removeObjects(ctx.env.MEDIA, workPrefix(row));
}

const isHeld = ({ clock }: Ctx, { leaseUntil }: JobRow): boolean =>
	leaseUntil !== null && leaseUntil > clock().toISOString();

async function holdJob({ db, clock }: Ctx, row: JobRow, leaseToken: string): Promise<boolean> {
	const now = clock();
	const free = or(
		isNull(jobs.leaseUntil),
		lte(jobs.leaseUntil, now.toISOString()),
		eq(jobs.leaseToken, leaseToken),
	);
	const held = await db
		.update(jobs)
		.set({ leaseToken, leaseUntil: leaseEnd(now) })
		.where(and(isFinishing(row), free))
		.returning({ id: jobs.id });
	return held.length > 0;
}

const isFinishing = (row: JobRow) => and(isJob(refOf(row)), eq(jobs.status, "POST_PROCESSING"));

/** DONE, and its seconds taken from the balance, both or neither. @returns whether it was this call that did it. */
async function complete({ db, env, clock }: Ctx, row: JobRow, output: OutputMetadata): Promise<boolean> {
	const now = clock();
	const seconds = Math.ceil(row.inputMetadata.duration_seconds ?? 0);
	const finishing = db.select({ id: jobs.id }).from(jobs).where(isFinishing(row));
	const [, done] = await db.batch([
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
	]);
	return done.length > 0;
}

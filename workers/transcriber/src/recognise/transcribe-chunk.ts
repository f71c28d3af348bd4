import { reportJob } from "@parley/batch/events/report-jobs";
import { isJob, toJobKey, toJobRef } from "@parley/batch/job-predicates";
import { chunkResultKey, type JobKey, workPrefix } from "@parley/batch/object-keys";
import { LeaseLost, leaseEnd, withLease } from "@parley/context/lease";
import type { TranscribeChunk } from "@parley/contracts/internal/queue-messages";
import { type JobChunkRow, jobChunks, MAX_CHUNKS } from "@parley/db/batch/job-chunks";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { and, eq, exists, isNull, lte, or, sql } from "drizzle-orm";
import { readPlan } from "../audio/job-plan.ts";
import { EMPTY_RECOGNITION, findResult, writeResult } from "../chunks/chunk-result.ts";
import { storeActivity } from "../chunks/stored-activity.ts";
import type { Ctx } from "../context.ts";
import { removeAfterLeaseLost } from "../jobs/lease-lost.ts";
import { nextChunk } from "../jobs/next-chunks.ts";
import { chunkWork, retriesWithout } from "../jobs/retries.ts";
import { sendMessages } from "../messages/send-messages.ts";
import { StepError } from "../step-error.ts";
import { cutChunk } from "./cut-chunk.ts";
import { enginesFor, recogniseWithFallback } from "./fallback.ts";
import { withinMemory } from "./memory.ts";
import { memoryFor, recogniseChunk } from "./recognise-chunk.ts";

/** Number of claims after which we assume that this chunk crashes its worker. */
const MAX_CLAIMS = 25;

type Claimed = { job: JobRow; chunk: JobChunkRow & { leaseToken: string } };

/** Has an engine recognise one chunk and stores the result. The worker that completes the last chunk sends the job to be finished. */
export async function transcribeChunk(ctx: Ctx, message: TranscribeChunk): Promise<void> {
	const claimed = await claimChunk(ctx, message);
	if (!claimed) return;
	try {
		await withLease(
			() => renewChunk(ctx, claimed),
			(signal) => recognise(ctx, claimed, message.position, signal),
		);
		// Sent before the mark: a worker that dies in between repeats this chunk and sends the next one again.
		await sendMessages(
			ctx,
			nextChunk(ctx, toJobRef(claimed.job), message.position, claimed.job.chunkCount ?? 0),
		);
		const isLast = await markDone(ctx, claimed, message.position);
		if (isLast) await sendMessages(ctx, [{ body: { ...toJobRef(claimed.job), type: "FinishJob" } }]);
	} catch (error) {
		if (error instanceof LeaseLost) return removeAfterLeaseLost(ctx, claimed.job, [workPrefix(claimed.job)]);
		await releaseChunk(ctx, claimed);
		throw error;
	}
}

async function recognise(
	ctx: Ctx,
	{ job, chunk }: Claimed,
	position: number,
	signal: AbortSignal,
): Promise<void> {
	if (chunk.attempts > MAX_CLAIMS)
		throw new StepError(
			"gave_up",
			"A part of the audio was attempted several times and its worker stopped each time.",
		);
	const key = chunkResultKey(job, position);
	// An earlier attempt may have stored its result without marking the chunk.
	if (chunk.attempts > 1 && (await findResult(ctx, key))) return;
	const plan = await readPlan(ctx, job);
	const recognition = await recogniseWithFallback(enginesFor(ctx, job), chunk.attempts, (engine) => {
		const task = { job, plan, position, engine, isRetry: chunk.attempts > 1, signal };
		return withinMemory(memoryFor(task), signal, async () => {
			const audio = await cutChunk(ctx, job, plan, position, engine);
			const recognised = audio.voice.isSilent
				? { ...EMPTY_RECOGNITION, peaks: [] }
				: await recogniseChunk(ctx, task, audio);
			return { ...recognised, activity: storeActivity(audio.voice) };
		});
	});
	signal.throwIfAborted();
	await writeResult(ctx, key, recognition);
}

async function claimChunk(
	ctx: Ctx,
	{ organisation_id, job_id, position }: TranscribeChunk,
): Promise<Claimed | undefined> {
	const { db, clock } = ctx;
	const now = clock();
	const leaseToken = crypto.randomUUID();
	const decoding = isDecoding(toJobKey({ organisation_id, job_id }));
	const id = db
		.select({ id: sql`${jobs.id} * ${MAX_CHUNKS} + ${position}` })
		.from(jobs)
		.where(decoding);
	const [[job], [chunk]] = await db.batch([
		db.select().from(jobs).where(decoding),
		db
			.update(jobChunks)
			.set({ leaseToken, leaseUntil: leaseEnd(now), attempts: sql`${jobChunks.attempts} + 1` })
			.where(
				and(
					eq(jobChunks.organisationId, organisation_id),
					sql`${jobChunks.id} = ${id}`,
					isNull(jobChunks.doneAt),
					or(isNull(jobChunks.leaseUntil), lte(jobChunks.leaseUntil, now.toISOString())),
				),
			)
			.returning(),
	]);
	return job && chunk && { job, chunk: { ...chunk, leaseToken } };
}

const isDecoding = (job: JobKey) => and(isJob(job), eq(jobs.status, "DECODING"));

const isMine = ({ chunk }: Claimed) =>
	and(
		eq(jobChunks.organisationId, chunk.organisationId),
		eq(jobChunks.id, chunk.id),
		eq(jobChunks.leaseToken, chunk.leaseToken),
		isNull(jobChunks.doneAt),
	);

async function renewChunk({ db, clock }: Ctx, claimed: Claimed): Promise<boolean> {
	const decoding = db.select({ id: jobs.id }).from(jobs).where(isDecoding(claimed.job));
	const renewed = await db
		.update(jobChunks)
		.set({ leaseUntil: leaseEnd(clock()) })
		.where(and(isMine(claimed), exists(decoding)))
		.returning({ id: jobChunks.id });
	return renewed.length > 0;
}

async function releaseChunk({ db }: Ctx, claimed: Claimed): Promise<void> {
	await db.update(jobChunks).set({ leaseToken: null, leaseUntil: null }).where(isMine(claimed));
}

/**
 * Counts and marks the chunk in one batch, so that each chunk counts once and exactly one is the last.
 * @returns whether it was the last.
 * @throws LeaseLost if another worker holds the lease.
 */
async function markDone(ctx: Ctx, claimed: Claimed, position: number): Promise<boolean> {
	const { db, clock } = ctx;
	const now = clock().toISOString();
	const mine = db.select({ id: jobChunks.id }).from(jobChunks).where(isMine(claimed));
	const [[counted]] = await db.batch([
		db
			.update(jobs)
			.set({
				chunksDone: sql`${jobs.chunksDone} + 1`,
				status: sql`case when ${jobs.chunksDone} + 1 = ${jobs.chunkCount} then 'POST_PROCESSING' else ${jobs.status} end`,
				pushes: 0,
				retries: retriesWithout(chunkWork(position)),
				updatedAt: now,
			})
			.where(and(isDecoding(claimed.job), exists(mine)))
			.returning({ status: jobs.status, chunksDone: jobs.chunksDone }),
		db.update(jobChunks).set({ doneAt: now, leaseToken: null, leaseUntil: null }).where(isMine(claimed)),
	]);
	if (!counted) throw new LeaseLost();
	reportJob(ctx, { ...claimed.job, ...counted, updatedAt: now });
	return counted.status === "POST_PROCESSING";
}

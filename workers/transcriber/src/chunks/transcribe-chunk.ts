import type { JobRef, TranscribeChunk } from "@parley/contracts/queue-messages";
import { type JobChunkRow, jobChunks, MAX_CHUNKS } from "@parley/db/job-chunks";
import { type JobRow, jobs } from "@parley/db/jobs";
import { chunkResultKey, workPrefix } from "@parley/db/media";
import { and, eq, exists, isNull, lte, or, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { cutChunk } from "../inputs/cut-chunk.ts";
import { readPlan } from "../inputs/job-plan.ts";
import { removeAfterLoss } from "../jobs/after-loss.ts";
import { isJob, refOf } from "../jobs/job-row.ts";
import { chunkWork, retriesWithout } from "../jobs/retries.ts";
import { LeaseLost, leaseEnd, whileLeased } from "../lease.ts";
import { sendAll } from "../queue/send.ts";
import { Setback } from "../setback.ts";
import { storeActivity } from "./chunk-activity.ts";
import { findResult, NOTHING_HEARD, writeResult } from "./chunk-result.ts";
import { enginesFor, hearByFirstAble } from "./fall-back.ts";
import { hearChunk, memoryFor } from "./hear-chunk.ts";
import { nextInLane } from "./lanes.ts";
import { withinMemory } from "./memory.ts";

/** A chunk that was begun this often without coming to an end takes its worker down with it. */
const MAX_CLAIMS = 25;

type Claimed = { job: JobRow; chunk: JobChunkRow & { leaseToken: string } };

/** Has an engine recognise one chunk and stores what it heard. Whoever marks the last chunk sends the job on. */
export async function transcribeChunk(ctx: Ctx, message: TranscribeChunk): Promise<void> {
	const claimed = await claimChunk(ctx, message);
	if (!claimed) return;
	try {
		await whileLeased(
			() => renewChunk(ctx, claimed),
			(signal) => recognise(ctx, claimed, message.position, signal),
		);
		// Before the mark: whoever dies in between does this chunk again, and sends the next once more.
		await sendAll(ctx, nextInLane(ctx, refOf(claimed.job), message.position, claimed.job.chunkCount ?? 0));
		const isLast = await markDone(ctx, claimed, message.position);
		if (isLast) await sendAll(ctx, [{ body: { ...refOf(claimed.job), type: "FinishJob" } }]);
	} catch (error) {
		if (error instanceof LeaseLost) return removeAfterLoss(ctx, claimed.job, [workPrefix(claimed.job)]);
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
		throw new Setback("gave_up", "A part of the audio was tried several times and broke off each time.");
	const key = chunkResultKey(job, position);
	// An earlier try may have come as far as its result, but not to its mark.
	if (chunk.attempts > 1 && (await findResult(ctx, key))) return;
	const plan = await readPlan(ctx, job);
	const recognition = await hearByFirstAble(enginesFor(ctx, job), chunk.attempts, (engine) => {
		const hearing = { job, plan, position, engine, isRetry: chunk.attempts > 1, signal };
		return withinMemory(memoryFor(hearing), signal, async () => {
			const audio = await cutChunk(ctx, job, plan, position, engine);
			const heard = audio.voice.isSilent ? NOTHING_HEARD : await hearChunk(ctx, hearing, audio);
			return { ...heard, activity: storeActivity(audio.voice) };
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
	const decoding = isDecoding({ organisation_id, job_id });
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

const isDecoding = (ref: JobRef) => and(isJob(ref), eq(jobs.status, "DECODING"));

const isMine = ({ chunk }: Claimed) =>
	and(
		eq(jobChunks.organisationId, chunk.organisationId),
		eq(jobChunks.id, chunk.id),
		eq(jobChunks.leaseToken, chunk.leaseToken),
		isNull(jobChunks.doneAt),
	);

async function renewChunk({ db, clock }: Ctx, claimed: Claimed): Promise<boolean> {
	const decoding = db
		.select({ id: jobs.id })
		.from(jobs)
		.where(isDecoding(refOf(claimed.job)));
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
 * Counts the chunk and marks it, in one batch, so that each counts once and one of them is the last.
 * @returns whether it was. @throws LeaseLost when it was not ours to mark.
 */
async function markDone({ db, clock }: Ctx, claimed: Claimed, position: number): Promise<boolean> {
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
			.where(and(isDecoding(refOf(claimed.job)), exists(mine)))
			.returning({ status: jobs.status }),
		db.update(jobChunks).set({ doneAt: now, leaseToken: null, leaseUntil: null }).where(isMine(claimed)),
	]);
	if (!counted) throw new LeaseLost();
	return counted.status === "POST_PROCESSING";
}

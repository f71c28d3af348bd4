import { reportJob } from "@parley/batch/events/report-jobs";
import { isJob, toJobRef } from "@parley/batch/job-predicates";
import { inputPrefix, workPrefix } from "@parley/batch/object-keys";
import { LeaseLost, withLease } from "@parley/context/lease";
import type { InputMetadata } from "@parley/contracts/batch/jobs";
import type { JobRef } from "@parley/contracts/internal/queue-messages";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { chunkId, jobChunks, MAX_CHUNKS } from "@parley/db/batch/job-chunks";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { and, eq, exists, sql } from "drizzle-orm";
import { type JobPlan, writePlan } from "../audio/job-plan.ts";
import type { Ctx } from "../context.ts";
import { getEngine } from "../get-engine.ts";
import { claimJob, releaseJob, renewJob } from "../jobs/job-row.ts";
import { removeAfterLeaseLost } from "../jobs/lease-lost.ts";
import { firstChunks } from "../jobs/next-chunks.ts";
import { sendMessages } from "../messages/send-messages.ts";
import { StepError } from "../step-error.ts";
import { ensureInput } from "./ensure-input.ts";
import { planInput } from "./plan-input.ts";
import type { StoredObject } from "./store-stream.ts";

/** Number of claims after which we assume that this job crashes its worker. */
const MAX_CLAIMS = 10;

type Leased = JobRow & { leaseToken: string };

/** Moves a job from QUEUED to DECODING: fetches and inspects its audio and plans its chunks. */
export async function startJob(ctx: Ctx, ref: JobRef): Promise<void> {
	const row = await claimJob(ctx, ref, ["QUEUED", "IN_PROGRESS"], {
		status: "IN_PROGRESS",
		claims: sql`${jobs.claims} + 1`,
		startedAt: sql`coalesce(${jobs.startedAt}, ${ctx.clock().toISOString()})`,
	});
	if (!row) return;
	reportJob(ctx, row);
	if (row.claims > MAX_CLAIMS)
		throw new StepError("gave_up", "The job was started several times and its worker stopped each time.");
	try {
		const chunks = await withLease(
			() => renewJob(ctx, row),
			async (signal) => {
				const engine = getEngine(ctx, row.modelCode);
				const input = await ensureInput(ctx, row, signal);
				const plan = await planInput(ctx, input, engine, row.jobConfig);
				await writePlan(ctx, row, plan);
				await beginDecoding(ctx, row, input, plan);
				return plan.chunks.length;
			},
		);
		await sendMessages(ctx, firstChunks(ctx, toJobRef(row), chunks));
	} catch (error) {
		if (error instanceof LeaseLost) {
			const fetched = row.inputUrl === null ? [] : [inputPrefix(row)];
			return removeAfterLeaseLost(ctx, row, [...fetched, workPrefix(row)]);
		}
		await releaseJob(ctx, row);
		throw error;
	}
}

/** Writes the chunk rows and the new status in one batch, which succeeds only for the holder of the lease. */
async function beginDecoding(ctx: Ctx, row: Leased, input: StoredObject, plan: JobPlan): Promise<void> {
	const { db, clock } = ctx;
	if (plan.chunks.length > MAX_CHUNKS) throw new StepError("input_too_long", "The audio is too long.");
	const mine = and(isJob(row), eq(jobs.leaseToken, row.leaseToken), eq(jobs.status, "IN_PROGRESS"));
	const holding = db.select({ id: jobs.id }).from(jobs).where(mine);
	const updatedAt = clock().toISOString();
	const positions = JSON.stringify([...plan.chunks.keys()]);
	try {
		await db.batch([
			assertThat(db, exists(holding), "lease_lost"),
			// One parameter for all chunks: D1 allows 100.
			db
				.insert(jobChunks)
				.select(
					sql`select ${chunkId(row.id, 0)} + value, ${row.organisationId}, 0, null, null, null
						from json_each(${positions}) where true`,
				)
				.onConflictDoNothing(),
			db
				.update(jobs)
				.set({
					status: "DECODING",
					inputUrl: null,
					inputKey: input.key,
					inputEtag: input.etag,
					inputMetadata: describeInput(row, input, plan),
					chunkCount: plan.chunks.length,
					leaseToken: null,
					leaseUntil: null,
					claims: 0,
					pushes: 0,
					retries: null,
					updatedAt,
				})
				.where(mine),
		]);
		reportJob(ctx, { ...row, status: "DECODING", chunkCount: plan.chunks.length, updatedAt });
	} catch (error) {
		throw failedAssertion(error) === "lease_lost" ? new LeaseLost() : error;
	}
}

const describeInput = (
	row: JobRow,
	{ size, sha256 }: StoredObject,
	{ info, durationSeconds }: JobPlan,
): InputMetadata => ({
	source: row.inputMetadata.source,
	size_bytes: size,
	sha256,
	duration_seconds: Math.round(durationSeconds * 1000) / 1000,
	format: info.format,
	codec: info.codec,
	channels: info.channels,
	sample_rate: info.sampleRate,
});

import { createExecutionContext, createMessageBatch, env, getQueueResult } from "cloudflare:test";
import { toJobRef } from "@parley/batch/job-predicates";
import { inputKey } from "@parley/batch/object-keys";
import type { DeliverWebhook, TranscriptionMessage } from "@parley/contracts/internal/queue-messages";
import { type JobRow, jobs } from "@parley/db/batch/jobs";
import { openDatabase } from "@parley/db/client";
import { createOrganisation } from "@parley/testing/organisation";
import { eq } from "drizzle-orm";
import { type Ctx, createContext } from "../src/context.ts";
import { consume } from "../src/queue/consume.ts";
import { sweep } from "../src/sweeper/sweep.ts";

export const db = openDatabase(env.DB);

type Sent = { body: TranscriptionMessage; delaySeconds?: number };

/**
 * The pipeline with its messages in the test's hands: what the verbs send is kept and delivered by `deliver`, in the order,
 * number and at the time that the test chooses.
 */
export function createPipeline(deps: Partial<Ctx> = {}, vars: Partial<Env> = {}) {
	const sent: Sent[] = [];
	const webhooks: { body: DeliverWebhook; delaySeconds?: number }[] = [];
	let skippedMs = 0;
	const queue = {
		sendBatch: async (messages: Iterable<Sent>) => void sent.push(...messages),
	} as unknown as Queue;
	const webhookQueue = {
		sendBatch: async (messages: Iterable<(typeof webhooks)[number]>) => void webhooks.push(...messages),
	} as unknown as Queue;
	const queues = {
		TRANSCRIPTION: queue,
		INPUTS: queue,
		CHUNKS: queue,
		EXTRAS: queue,
		WEBHOOKS: webhookQueue,
	};
	const clock = () => new Date(Date.now() + skippedMs);
	const ctx = createContext({ ...env, ...queues, ...vars } as Env, {
		clock,
		random: () => 0.5,
		...deps,
	});

	/** Delivers messages as one batch. @returns what the queue is told of them. */
	async function deliver(bodies: TranscriptionMessage[], attempts = 1) {
		const messages = bodies.map((body, index) => ({
			id: String(index),
			timestamp: new Date(),
			attempts,
			body,
		}));
		const batch = createMessageBatch("parley-transcription", messages);
		await consume(ctx, batch);
		return getQueueResult(batch, createExecutionContext());
	}

	/** Delivers until nothing is left to deliver; each message `times` times at once. */
	async function drain(times = 1) {
		while (sent.length > 0) {
			const bodies = sent.splice(0).map(({ body }) => body);
			await deliver(bodies.flatMap((body) => Array.from({ length: times }, () => body)));
		}
	}

	return {
		ctx,
		sent,
		webhooks,
		deliver,
		drain,
		skip: (ms: number) => {
			skippedMs += ms;
		},
		/** Runs the crons of the next minutes. */
		async recover(minutes = 3) {
			for (let minute = 0; minute < minutes; minute++) {
				skippedMs += 60_000;
				await sweep(ctx);
				await drain();
			}
		},
	};
}

/** A queued job as submission leaves it, of a new organisation unless one is given. */
export async function insertJob(
	row: Partial<typeof jobs.$inferInsert> & { audio?: Uint8Array; creditSeconds?: number | null } = {},
	into = db,
): Promise<JobRow> {
	const { audio, creditSeconds, ...columns } = row;
	const organisationId = row.organisationId ?? (await createOrganisation(env.DB, { creditSeconds })).id;
	const jobId = row.jobId ?? `job${crypto.randomUUID().replaceAll("-", "")}`;
	const key = inputKey({ organisationId, jobId }, "a.wav");
	const object = audio && (await env.MEDIA.put(key, audio, {}));
	const now = Date.now();
	const at = (ms: number) => new Date(now + ms).toISOString();
	const [inserted] = await into
		.insert(jobs)
		.values({
			organisationId,
			jobId,
			apiKeyId: crypto.randomUUID(),
			modelCode: "test/whisper",
			status: "QUEUED",
			jobConfig: {
				transcription_config: {
					language: "en",
					operating_point: "enhanced",
					diarization: "none",
					enable_entities: false,
				},
			},
			inputKey: object ? key : null,
			inputEtag: object?.etag ?? null,
			inputMetadata: {
				source: object ? "inline" : "url",
				size_bytes: audio?.byteLength ?? null,
				duration_seconds: null,
				format: null,
				codec: null,
				channels: null,
				sample_rate: null,
			},
			wakeAt: at(30_000),
			deadlineAt: at(24 * 3_600_000),
			submittedAt: at(0),
			updatedAt: at(0),
			...columns,
		})
		.returning();
	if (!inserted) throw new Error("The job was not inserted");
	return inserted;
}

export const startMessage = (row: JobRow): TranscriptionMessage => ({ type: "StartJob", ...toJobRef(row) });
export const fetchMessage = (row: JobRow): TranscriptionMessage => ({ type: "FetchInput", ...toJobRef(row) });

export async function read(row: JobRow): Promise<JobRow> {
	const [now] = await db.select().from(jobs).where(eq(jobs.id, row.id));
	if (!now) throw new Error("The job is gone");
	return now;
}

/** Keys under one of the prefixes of a job's organisation. */
export async function keysOf({ organisationId }: JobRow, kind = ""): Promise<string[]> {
	const { objects } = await env.MEDIA.list(kind ? { prefix: `${kind}/${organisationId}/` } : {});
	return objects.map(({ key }) => key).filter((key) => key.includes(organisationId));
}

import { logError } from "@parley/context/log";
import { TranscriptionMessage } from "@parley/contracts/internal/queue-messages";
import { backoffMs } from "@parley/egress/retry";
import type { Ctx } from "../context.ts";
import { abandonExtras, makeExtras } from "../extras/make-extras.ts";
import { finishJob } from "../finish/finish-job.ts";
import { failJob } from "../jobs/fail-job.ts";
import { resumeJob } from "../jobs/resume-job.ts";
import { awaitRetry, workOf } from "../jobs/retries.ts";
import { transcribeChunk } from "../recognise/transcribe-chunk.ts";
import { startJob } from "../start/start-job.ts";
import { StepError, toJobError, toStepError } from "../step-error.ts";

/**
 * One less than the queue's `max_retries` allows. A job that keeps failing ends here with its own reason; only a message whose
 * worker dies each time becomes a dead letter.
 */
export const MAX_ATTEMPTS = 10;
/** Longest delay that a host or an engine may ask for. A job has a deadline, and a queue keeps a message for hours at most. */
const MAX_DELAY_MS = 3_600_000;

/** Handles the messages of a batch concurrently. Each is acknowledged or retried by itself. */
export async function consume(ctx: Ctx, batch: MessageBatch): Promise<void> {
	await Promise.all(batch.messages.map((message) => handle(ctx, message)));
}

async function handle(ctx: Ctx, message: Message): Promise<void> {
	const parsed = TranscriptionMessage.safeParse(message.body);
	if (!parsed.success) {
		logError("a message has an unknown format", parsed.error, { message: message.id });
		return message.ack();
	}
	try {
		await perform(ctx, parsed.data);
		message.ack();
	} catch (error) {
		await settle(ctx, message, parsed.data, error).catch((cause) => {
			logError("an error could not be recorded", cause, { ...parsed.data });
			message.retry({ delaySeconds: 10 });
		});
	}
}

function perform(ctx: Ctx, message: TranscriptionMessage): Promise<void> {
	switch (message.type) {
		case "FetchInput":
		case "StartJob":
			return startJob(ctx, message);
		case "TranscribeChunk":
			return transcribeChunk(ctx, message);
		case "MakeExtras":
			return makeExtras(ctx, message);
		case "FinishJob":
			return finishJob(ctx, message);
		case "WakeJob":
			return resumeJob(ctx, message);
	}
}

async function settle(ctx: Ctx, message: Message, body: TranscriptionMessage, error: unknown): Promise<void> {
	const stepError = toStepError(error);
	if (stepError.cause !== undefined) logError(stepError.code, stepError.cause, { ...body });
	if (stepError.retryable && message.attempts < (stepError.maxAttempts ?? MAX_ATTEMPTS)) {
		const { retryAfterMs } = stepError;
		const ms = backoffMs(message.attempts, {
			baseMs: 2000,
			maxMs: 300_000,
			retryAfterMs,
			random: ctx.random,
		});
		const delaySeconds = Math.ceil(Math.min(ms, MAX_DELAY_MS) / 1000);
		await awaitRetry(ctx, body, workOf(body), {
			attempts: message.attempts,
			error: toJobError(stepError),
			nextAttemptAt: new Date(ctx.clock().getTime() + delaySeconds * 1000).toISOString(),
		});
		return message.retry({ delaySeconds });
	}
	await giveUp(ctx, body, stepError);
	message.ack();
}

/** Ends a job with a reason after its last attempt, or finishes it without its extras. */
async function giveUp(ctx: Ctx, message: TranscriptionMessage, reason: StepError): Promise<void> {
	if (message.type === "MakeExtras") return abandonExtras(ctx, message, reason);
	// A failed resume does not fail the job: the sweeper tries again.
	if (message.type !== "WakeJob") await failJob(ctx, message, reason);
}

/** Handles messages that the queue no longer delivers. */
export async function consumeDeadLetters(ctx: Ctx, batch: MessageBatch): Promise<void> {
	const reason = new StepError(
		"gave_up",
		"The job was attempted several times and its worker stopped each time.",
		{
			retryable: true,
		},
	);
	for (const message of batch.messages) {
		const parsed = TranscriptionMessage.safeParse(message.body);
		if (parsed.success) await giveUp(ctx, parsed.data, reason);
		message.ack();
	}
}

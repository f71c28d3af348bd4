import { logError } from "@parley/context/log";
import { TranscriptionMessage } from "@parley/contracts/queue-messages";
import { backoffMs } from "@parley/egress/retry";
import { transcribeChunk } from "../chunks/transcribe-chunk.ts";
import type { Ctx } from "../context.ts";
import { abandonExtras, makeExtras } from "../extras/make-extras.ts";
import { failJob } from "../jobs/fail-job.ts";
import { finishJob } from "../jobs/finish-job.ts";
import { awaitRetry, workOf } from "../jobs/retries.ts";
import { startJob } from "../jobs/start-job.ts";
import { wakeJob } from "../jobs/wake-job.ts";
import { Setback, toJobError, toSetback } from "../setback.ts";

/**
 * One less than the queue's `max_retries` allows: a job that is tried in vain ends here with its own reason, and only what
 * does not even get this far ends as a dead letter.
 */
export const MAX_ATTEMPTS = 10;
/** What hosts and engines ask for is heeded up to here: a job has a deadline, and a queue holds a message for hours at most. */
const MAX_DELAY_MS = 3_600_000;

/** Takes the messages of a batch all at once; each is acknowledged or put back on its own. */
export async function consume(ctx: Ctx, batch: MessageBatch): Promise<void> {
	await Promise.all(batch.messages.map((message) => handle(ctx, message)));
}

async function handle(ctx: Ctx, message: Message): Promise<void> {
	const parsed = TranscriptionMessage.safeParse(message.body);
	if (!parsed.success) {
		logError("a message that nobody understands", parsed.error, { message: message.id });
		return message.ack();
	}
	try {
		await perform(ctx, parsed.data);
		message.ack();
	} catch (error) {
		await settle(ctx, message, parsed.data, error).catch((cause) => {
			logError("a setback could not be recorded", cause, { ...parsed.data });
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
			return wakeJob(ctx, message);
	}
}

async function settle(ctx: Ctx, message: Message, body: TranscriptionMessage, error: unknown): Promise<void> {
	const setback = toSetback(error);
	if (setback.cause !== undefined) logError(setback.code, setback.cause, { ...body });
	if (setback.retryable && message.attempts < (setback.maxAttempts ?? MAX_ATTEMPTS)) {
		const { retryAfterMs } = setback;
		const ms = backoffMs(message.attempts, {
			baseMs: 2000,
			maxMs: 300_000,
			retryAfterMs,
			random: ctx.random,
		});
		const delaySeconds = Math.ceil(Math.min(ms, MAX_DELAY_MS) / 1000);
		await awaitRetry(ctx, body, workOf(body), {
			attempts: message.attempts,
			error: toJobError(setback),
			nextAttemptAt: new Date(ctx.clock().getTime() + delaySeconds * 1000).toISOString(),
		});
		return message.retry({ delaySeconds });
	}
	await giveUp(ctx, body, setback);
	message.ack();
}

/** What was tried in vain: the job ends with that reason, or without its extras. */
async function giveUp(ctx: Ctx, message: TranscriptionMessage, reason: Setback): Promise<void> {
	if (message.type === "MakeExtras") return abandonExtras(ctx, message, reason);
	// A look at a job is not the job: the sweeper will look again.
	if (message.type !== "WakeJob") await failJob(ctx, message, reason);
}

/** Messages that the queue has given up. */
export async function consumeDeadLetters(ctx: Ctx, batch: MessageBatch): Promise<void> {
	const reason = new Setback("gave_up", "The job was tried several times and broke off each time.", {
		retryable: true,
	});
	for (const message of batch.messages) {
		const parsed = TranscriptionMessage.safeParse(message.body);
		if (parsed.success) await giveUp(ctx, parsed.data, reason);
		message.ack();
	}
}

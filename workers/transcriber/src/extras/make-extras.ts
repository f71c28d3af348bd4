import { toJobRef } from "@parley/batch/job-predicates";
import { workPrefix } from "@parley/batch/object-keys";
import type { TranscriptWord } from "@parley/batch/transcript-words";
import { LeaseLost, withLease } from "@parley/context/lease";
import { logError } from "@parley/context/log";
import type { ExtraError } from "@parley/contracts/batch/transcript-extras";
import type { JobRef } from "@parley/contracts/internal/queue-messages";
import type { JobRow } from "@parley/db/batch/jobs";
import { type Extra, whyNoEngine } from "@parley/engines/language/extras";
import { EngineError } from "@parley/engines/transport/engine-error";
import { type SpokenSentence, sentencesOf } from "@parley/transcripts/sentences";
import type { ChunkSounds } from "../chunks/sound-scores.ts";
import type { Ctx } from "../context.ts";
import { isLeased, takeFinishingLease } from "../jobs/finishing-lease.ts";
import { findJob, releaseJob } from "../jobs/job-row.ts";
import { removeAfterLeaseLost } from "../jobs/lease-lost.ts";
import { reopenChunks } from "../jobs/reopen-chunks.ts";
import { recordRetries } from "../jobs/retries.ts";
import { sendMessages } from "../messages/send-messages.ts";
import { StepError } from "../step-error.ts";
import { findOutcomes, nameOf, type Outcome, storeOutcome } from "../transcripts/extra-outcomes.ts";
import { joinChunks } from "../transcripts/join-chunks.ts";
import { lowCoverage } from "../transcripts/judge-coverage.ts";
import { toWords } from "../transcripts/to-transcript.ts";
import type { OnRetry } from "../with-retries.ts";
import { findEvents } from "./find-events.ts";
import { emptyExtra, makeExtra } from "./make-extra.ts";

/** Time after which missing extras are left out. An invocation lasts at most 15 minutes. */
const MAX_MS = 10 * 60_000;

/**
 * Makes the extras of a job under its lease, then sends the job to be finished. Stored extras are not made again. An engine that
 * fails costs its extra, never the transcript.
 */
export async function makeExtras(ctx: Ctx, ref: JobRef): Promise<void> {
	const row = await findJob(ctx, ref);
	if (row?.status !== "POST_PROCESSING" || isLeased(ctx, row)) return;
	const leaseToken = crypto.randomUUID();
	if (!(await takeFinishingLease(ctx, row, leaseToken))) return;
	let lost: number[];
	try {
		lost = await withLease(
			() => takeFinishingLease(ctx, row, leaseToken),
			(signal) => makeMissing(ctx, row, signal),
		);
	} catch (error) {
		if (error instanceof LeaseLost) return removeAfterLeaseLost(ctx, row, [workPrefix(row)]);
		await releaseJob(ctx, { ...row, leaseToken });
		throw error;
	}
	await releaseJob(ctx, { ...row, leaseToken });
	if (lost.length > 0) return reopenChunks(ctx, row, lost);
	await sendMessages(ctx, [{ body: { ...ref, type: "FinishJob" } }]);
}

/** Records the missing extras as failed and sends the job to be finished. */
export async function abandonExtras(ctx: Ctx, ref: JobRef, { code, message }: StepError): Promise<void> {
	const row = await findJob(ctx, ref);
	if (row?.status !== "POST_PROCESSING") return;
	const { missing } = await findOutcomes(ctx, row);
	for (const extra of missing) await storeOutcome(ctx, row, { extra, error: toError(extra, code, message) });
	await sendMessages(ctx, [{ body: { ...toJobRef(row), type: "FinishJob" } }]);
}

/** Makes the missing extras. Returns the positions of chunks whose results are lost. */
async function makeMissing(ctx: Ctx, row: JobRow, signal: AbortSignal): Promise<number[]> {
	const { missing } = await findOutcomes(ctx, row);
	if (missing.length === 0) return [];
	const recognised = await joinChunks(ctx, row);
	if ("missing" in recognised) return recognised.missing;
	if (recognised.partial && ctx.env.LOW_COVERAGE === "fail") throw lowCoverage(recognised);
	const words = toWords(recognised, row);
	const { sounds } = recognised;
	const transcript = { row, sentences: sentencesOf(words), language: languageOf(row, words), sounds };
	const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
	// One after the other: each makes several requests at once, and a worker has six connections.
	for (const extra of missing) {
		const retries = recordRetries(ctx, toJobRef(row), nameOf(extra));
		const outcome = await attempt(ctx, extra, transcript, { signal: limited, onRetry: retries.onRetry });
		signal.throwIfAborted();
		await storeOutcome(ctx, row, outcome);
		await retries.clear();
	}
	return [];
}

type Recognised = { row: JobRow; sentences: SpokenSentence[]; language: string; sounds: ChunkSounds[] };

async function attempt(
	ctx: Ctx,
	extra: Extra,
	{ row, sentences, language, sounds }: Recognised,
	{ signal, onRetry }: { signal: AbortSignal; onRetry: OnRetry },
): Promise<Outcome> {
	const isEmpty = sentences.length === 0 && extra.feature !== "audio_events";
	try {
		const { engines, find } = ctx.languageEngines(onRetry);
		// A transcript without words has no language.
		const refusal = whyNoEngine(engines, extra, isEmpty ? "auto" : language);
		if (refusal) return { extra, error: toError(extra, refusal.code, refusal.message) };
		if (isEmpty) return { extra, engine: "none", made: emptyExtra(extra) };
		const engine = find(extra, language);
		if (!engine) throw new Error("No engine offers what one was said to offer");
		signal.throwIfAborted();
		const made =
			extra.feature === "audio_events"
				? { audio_events: findEvents(engine, extra, sounds, row) }
				: await makeExtra(engine, extra, sentences, { language, signal });
		const { method } = engine.capabilities[extra.feature] ?? {};
		return { extra, engine: method ? `${engine.code}/${method}` : engine.code, made };
	} catch (error) {
		if (signal.aborted)
			return { extra, error: toError(extra, "engine_timeout", "It could not be made in the time there is.") };
		logError(`${nameOf(extra)} failed`, error);
		if (error instanceof EngineError || error instanceof StepError)
			return { extra, error: toError(extra, error.code, error.message) };
		return { extra, error: toError(extra, "internal_error", "An internal error kept it from being made.") };
	}
}

const toError = (extra: Extra, type: string, message: string): ExtraError => ({
	type,
	message,
	...(extra.feature === "translation" && { target_language: extra.target }),
});

/** Returns the language that was requested, or for `auto` the language of most words. */
function languageOf({ jobConfig }: JobRow, words: readonly TranscriptWord[]): string {
	const { language } = jobConfig.transcription_config;
	if (language !== "auto") return language;
	const recognised = Map.groupBy(words, (word) => word.language ?? "und");
	const [most] = [...recognised].sort((a, b) => b[1].length - a[1].length);
	return most?.[0] ?? "und";
}

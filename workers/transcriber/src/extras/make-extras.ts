import { logError } from "@parley/context/log";
import type { JobRef } from "@parley/contracts/queue-messages";
import type { ExtraError } from "@parley/contracts/transcript-extras";
import type { TranscriptWord } from "@parley/contracts/transcript-words";
import type { JobRow } from "@parley/db/jobs";
import { workPrefix } from "@parley/db/media";
import { type Extra, whyNoEngine } from "@parley/engines/language/extras";
import { EngineError } from "@parley/engines/transport/engine-error";
import { reopenChunks } from "../chunks/reopen-chunks.ts";
import type { Ctx } from "../context.ts";
import { removeAfterLoss } from "../jobs/after-loss.ts";
import { holdJob, isHeld } from "../jobs/hold-job.ts";
import { findJob, refOf, releaseJob } from "../jobs/job-row.ts";
import { tellRetries } from "../jobs/retries.ts";
import { LeaseLost, whileLeased } from "../lease.ts";
import { sendAll } from "../queue/send.ts";
import { Setback } from "../setback.ts";
import { joinChunks } from "../transcripts/join-chunks.ts";
import { lowCoverage } from "../transcripts/judge-coverage.ts";
import { toWords } from "../transcripts/to-transcript.ts";
import { type ChunkSounds, findEvents } from "./find-events.ts";
import { emptyExtra, makeExtra } from "./make-extra.ts";
import { findOutcomes, nameOf, type Outcome, storeOutcome } from "./outcomes.ts";
import type { OnSetback } from "./persist.ts";
import { type SpokenSentence, sentencesOf } from "./sentences.ts";

/** An invocation lives for 15 minutes; what is not made by then is left out, since the transcript is waiting. */
const MAX_MS = 10 * 60_000;

/**
 * Makes of the transcript what was asked for beside it, under the job's lease, and has the job finished. What is stored
 * already is not made again. An engine that fails costs its extra, never the transcript.
 */
export async function makeExtras(ctx: Ctx, ref: JobRef): Promise<void> {
	const row = await findJob(ctx, ref);
	if (row?.status !== "POST_PROCESSING" || isHeld(ctx, row)) return;
	const leaseToken = crypto.randomUUID();
	if (!(await holdJob(ctx, row, leaseToken))) return;
	let unheard: number[];
	try {
		unheard = await whileLeased(
			() => holdJob(ctx, row, leaseToken),
			(signal) => makeMissing(ctx, row, signal),
		);
	} catch (error) {
		if (error instanceof LeaseLost) return removeAfterLoss(ctx, row, [workPrefix(row)]);
		await releaseJob(ctx, { ...row, leaseToken });
		throw error;
	}
	await releaseJob(ctx, { ...row, leaseToken });
	if (unheard.length > 0) return reopenChunks(ctx, row, unheard);
	await sendAll(ctx, [{ body: { ...ref, type: "FinishJob" } }]);
}

/** Has a job finished without what could not be made of it, however often that was tried. */
export async function abandonExtras(ctx: Ctx, ref: JobRef, { code, message }: Setback): Promise<void> {
	const row = await findJob(ctx, ref);
	if (row?.status !== "POST_PROCESSING") return;
	const { missing } = await findOutcomes(ctx, row);
	for (const extra of missing) await storeOutcome(ctx, row, { extra, error: toError(extra, code, message) });
	await sendAll(ctx, [{ body: { ...refOf(row), type: "FinishJob" } }]);
}

/** @returns the positions of chunks whose results have vanished: without them there is no transcript. */
async function makeMissing(ctx: Ctx, row: JobRow, signal: AbortSignal): Promise<number[]> {
	const { missing } = await findOutcomes(ctx, row);
	if (missing.length === 0) return [];
	const heard = await joinChunks(ctx, row);
	if ("missing" in heard) return heard.missing;
	if (heard.partial && ctx.env.LOW_COVERAGE === "fail") throw lowCoverage(heard);
	const words = toWords(heard, row);
	const { sounds } = heard;
	const transcript = { row, sentences: sentencesOf(words), language: languageOf(row, words), sounds };
	const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
	// One after the other: each makes several requests at once, and a worker has few connections.
	for (const extra of missing) {
		const retries = tellRetries(ctx, refOf(row), nameOf(extra));
		const outcome = await attempt(ctx, extra, transcript, { signal: limited, onSetback: retries.onSetback });
		signal.throwIfAborted();
		await storeOutcome(ctx, row, outcome);
		await retries.over();
	}
	return [];
}

type Heard = { row: JobRow; sentences: SpokenSentence[]; language: string; sounds: ChunkSounds[] };

async function attempt(
	ctx: Ctx,
	extra: Extra,
	{ row, sentences, language, sounds }: Heard,
	{ signal, onSetback }: { signal: AbortSignal; onSetback: OnSetback },
): Promise<Outcome> {
	const isEmpty = sentences.length === 0 && extra.feature !== "audio_events";
	try {
		const { engines, find } = ctx.languageEngines(onSetback);
		// Of a transcript without words nobody knows the language.
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
		if (error instanceof EngineError || error instanceof Setback)
			return { extra, error: toError(extra, error.code, error.message) };
		return { extra, error: toError(extra, "internal_error", "An internal error kept it from being made.") };
	}
}

const toError = (extra: Extra, type: string, message: string): ExtraError => ({
	type,
	message,
	...(extra.feature === "translation" && { target_language: extra.target }),
});

/** The language that was named, or else the one that most words were heard in. */
function languageOf({ jobConfig }: JobRow, words: readonly TranscriptWord[]): string {
	const { language } = jobConfig.transcription_config;
	if (language !== "auto") return language;
	const heard = Map.groupBy(words, (word) => word.language ?? "und");
	const [most] = [...heard].sort((a, b) => b[1].length - a[1].length);
	return most?.[0] ?? "und";
}

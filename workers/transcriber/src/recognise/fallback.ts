import type { JobRow } from "@parley/db/batch/jobs";
import { unsupportedFeatures } from "@parley/engines/speech/features";
import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import { EngineError } from "@parley/engines/transport/engine-error";
import type { Ctx } from "../context.ts";
import { getEngine } from "../get-engine.ts";
import { toStepError } from "../step-error.ts";

/** Attempts of a chunk after which a retryable failure of an engine leads to its fallback. */
const ATTEMPTS_PER_ENGINE = 3;
/** A longer `Retry-After` leads to the fallback at once. */
const LONG_WAIT_MS = 60_000;

type Engines = readonly [SpeechEngine, ...SpeechEngine[]];

/** The engine of a job's model, then of its fallbacks those that can do all that the job asks. @throws StepError */
export function enginesFor(ctx: Ctx, { modelCode, jobConfig }: JobRow): Engines {
	const first = getEngine(ctx, modelCode);
	const able = ctx
		.engines()
		.fallbacks(modelCode)
		.filter((engine) => unsupportedFeatures(engine, jobConfig.transcription_config).length === 0);
	return [first, ...able];
}

/**
 * Returns whether another engine should be used: the failure is the engine's, not the audio's, and its attempts are used up.
 * @param tries number of attempts of the chunk, including this one.
 */
export function shouldFallBack(error: unknown, tries: number): boolean {
	if (!(error instanceof EngineError)) return false;
	switch (error.code) {
		case "engine_rejected_audio":
			return false;
		case "engine_unauthorized":
		case "engine_rejected_request":
			return true;
		case "engine_unavailable":
		case "engine_timeout":
		case "engine_rate_limited":
		case "engine_bad_response":
			return tries >= ATTEMPTS_PER_ENGINE || (error.retryAfterMs ?? 0) > LONG_WAIT_MS;
	}
}

/**
 * Has the first engine recognise audio, or the next one when it fails, and names the engine that did.
 * @throws the first retryable error, or otherwise the error of the first engine.
 */
export async function recogniseWithFallback<T extends { warnings: string[] }>(
	engines: Engines,
	tries: number,
	recognise: (engine: SpeechEngine) => Promise<T>,
): Promise<T & { engine: string }> {
	const errors: unknown[] = [];
	for (const engine of engines) {
		try {
			const recognised = await recognise(engine);
			return {
				...recognised,
				engine: engine.code,
				warnings: [...recognised.warnings, ...fallbackWarning(engines[0], engine)],
			};
		} catch (error) {
			errors.push(error);
			if (!shouldFallBack(error, tries)) break;
		}
	}
	throw errors.find((error) => toStepError(error).retryable) ?? errors[0];
}

const fallbackWarning = (asked: SpeechEngine, used: SpeechEngine): string[] =>
	used === asked
		? []
		: [`${asked.code} could not be used: ${used.code} recognised the audio or parts of it.`];

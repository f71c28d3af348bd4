import type { JobRow } from "@parley/db/jobs";
import { unsupportedFeatures } from "@parley/engines/speech/features";
import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import { EngineError } from "@parley/engines/transport/engine-error";
import type { Ctx } from "../context.ts";
import { engineOf } from "../engine-of.ts";
import { toSetback } from "../setback.ts";

/** Tries of a chunk until an engine that fails for a reason that may pass is given up for it. */
const PATIENCE = 3;
/** An engine that wants to be left alone for longer is given up at once. */
const LONG_WAIT_MS = 60_000;

type Engines = readonly [SpeechEngine, ...SpeechEngine[]];

/** The engine of a job's model, then of its fallbacks those that can do all that the job asks. @throws Setback */
export function enginesFor(ctx: Ctx, { modelCode, jobConfig }: JobRow): Engines {
	const first = engineOf(ctx, modelCode);
	const able = ctx
		.engines()
		.fallbacks(modelCode)
		.filter((engine) => unsupportedFeatures(engine, jobConfig.transcription_config).length === 0);
	return [first, ...able];
}

/**
 * Whether another engine should be asked instead: the failure is the engine's own, not the audio's, and it has had its chance.
 * @param tries how often the chunk was begun, this time included.
 */
export function isGivenUp(error: unknown, tries: number): boolean {
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
			return tries >= PATIENCE || (error.retryAfterMs ?? 0) > LONG_WAIT_MS;
	}
}

/**
 * Has the first engine hear, or the next one where it is given up, and says which one did.
 * @throws what the first engine threw that may pass, or else the first one's own error.
 */
export async function hearByFirstAble<T extends { warnings: string[] }>(
	engines: Engines,
	tries: number,
	hear: (engine: SpeechEngine) => Promise<T>,
): Promise<T & { engine: string }> {
	const errors: unknown[] = [];
	for (const engine of engines) {
		try {
			const heard = await hear(engine);
			return { ...heard, engine: engine.code, warnings: [...heard.warnings, ...noteOf(engines[0], engine)] };
		} catch (error) {
			errors.push(error);
			if (!isGivenUp(error, tries)) break;
		}
	}
	throw errors.find((error) => toSetback(error).retryable) ?? errors[0];
}

const noteOf = (asked: SpeechEngine, used: SpeechEngine): string[] =>
	used === asked
		? []
		: [`${asked.code} could not be used: ${used.code} recognised the audio or parts of it.`];

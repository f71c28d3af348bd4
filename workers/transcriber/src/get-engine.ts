import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import type { Ctx } from "./context.ts";
import { StepError } from "./step-error.ts";

/** Returns the engine of a job's model. @throws StepError if the model is no longer configured. */
export function getEngine(ctx: Ctx, modelCode: string): SpeechEngine {
	const engine = ctx.engines().find(modelCode);
	if (engine) return engine;
	throw new StepError("model_unavailable", `The model ${modelCode} is no longer configured.`, {
		retryable: true,
	});
}

import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import type { Ctx } from "./context.ts";
import { Setback } from "./setback.ts";

/** The engine of a model that was configured when the job was submitted. */
export function engineOf(ctx: Ctx, modelCode: string): SpeechEngine {
	const engine = ctx.engines().find(modelCode);
	if (engine) return engine;
	throw new Setback("model_unavailable", `The model ${modelCode} is not configured any more.`, {
		retryable: true,
	});
}

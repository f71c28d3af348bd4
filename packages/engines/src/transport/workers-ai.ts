import { EngineSettingsError } from "../settings.ts";
import { withDeadline } from "./deadline.ts";
import { type EngineErrorCode, engineError } from "./engine-error.ts";

/** Part of the `AI` binding that Parley uses. */
export type AiBinding = {
	run(model: string, input: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<unknown>;
};

/** Returns the `AI` binding of an environment. @throws EngineSettingsError if there is none. */
export function readAiBinding(setting: string, binding: unknown): AiBinding {
	const ai = binding as AiBinding | undefined;
	if (typeof ai?.run === "function") return ai;
	throw new EngineSettingsError(`${setting} names workers-ai, but the deployment has no AI binding`);
}

// https://developers.cloudflare.com/workers-ai/platform/errors/
const CODES: Readonly<Record<string, EngineErrorCode>> = {
	"3003": "engine_rejected_request",
	"3006": "engine_rejected_audio",
	"3007": "engine_timeout",
	"3008": "engine_timeout",
	"3023": "engine_unauthorized",
	"3036": "engine_rate_limited",
	"3040": "engine_rate_limited",
	"3041": "engine_unauthorized",
	"3042": "engine_rejected_request",
	"5004": "engine_rejected_audio",
	"5007": "engine_rejected_request",
	"5016": "engine_unauthorized",
	"5018": "engine_unauthorized",
};

/** Runs a model with a deadline. The binding has no error type: its internal code precedes the text ("3040: …"). */
export async function runModel(
	ai: AiBinding,
	model: string,
	input: Record<string, unknown>,
	limits: { deadlineMs: number; signal?: AbortSignal | undefined },
): Promise<unknown> {
	return await withDeadline(async (signal) => {
		try {
			return await ai.run(model, input, { signal });
		} catch (error) {
			const text = String(error);
			const code = CODES[/\b([35]\d{3}):/.exec(text)?.[1] ?? ""] ?? "engine_unavailable";
			throw engineError(code, text.slice(0, 500), { cause: error });
		}
	}, limits);
}

import { readAiBinding, runModel } from "../../transport/workers-ai.ts";
import { VOICE_CONTENT_TYPES, type VoiceCapabilities, type VoiceEngine } from "../voice-engine.ts";
import type { WorkersAiVoiceModel } from "./api.ts";
import { fromVoiceAnswer, toVoiceInput } from "./transform.ts";

export type WorkersAiVoice = {
	code: string;
	model: WorkersAiVoiceModel;
	capabilities: VoiceCapabilities;
	timeoutSeconds: number;
};

/** Creates an engine for a voice model of Workers AI, which runs through the `AI` binding. */
export function workersAiVoice(settings: WorkersAiVoice, binding: unknown): VoiceEngine {
	const ai = readAiBinding("VOICE_ENGINES", binding);
	const { code, model, capabilities } = settings;
	return {
		code,
		capabilities,
		async synthesise(request) {
			const limits = { deadlineMs: settings.timeoutSeconds * 1000, signal: request.signal };
			const answer = await runModel(ai, model, toVoiceInput(model, request), limits);
			return { body: fromVoiceAnswer(answer), contentType: VOICE_CONTENT_TYPES[request.format] };
		},
	};
}

import { toBase64 } from "@parley/bytes/base64";
import { readAiBinding, runModel } from "../../transport/workers-ai.ts";
import { toPrompt } from "../openai-compatible/transform.ts";
import { readBytes, type SpeechCapabilities, type SpeechEngine } from "../speech-engine.ts";
import type { WorkersAiSpeechModel } from "./api.ts";
import { fromNova, fromWhisper, toNovaInput } from "./transform.ts";

export type WorkersAiSpeechSettings = {
	code: string;
	model: WorkersAiSpeechModel;
	capabilities: SpeechCapabilities;
	timeoutSeconds?: number | undefined;
};

const DEADLINE_SECONDS = 300;

/** Creates an engine for a speech model of Workers AI, which runs through the `AI` binding. */
export function workersAiSpeechEngine(settings: WorkersAiSpeechSettings, binding: unknown): SpeechEngine {
	const ai = readAiBinding("SPEECH_ENGINES", binding);
	return {
		code: settings.code,
		capabilities: settings.capabilities,
		async transcribe(chunk, hints) {
			const limits = {
				deadlineMs: (settings.timeoutSeconds ?? DEADLINE_SECONDS) * 1000,
				signal: hints.signal,
			};
			const context = { durationSeconds: chunk.durationSeconds };
			if (settings.model === "@cf/deepgram/nova-3") {
				const body =
					chunk.bytes instanceof Uint8Array ? new Response(await readBytes(chunk)).body : chunk.bytes;
				const input = { audio: { body, contentType: chunk.contentType }, ...toNovaInput(hints) };
				return fromNova(await runModel(ai, settings.model, input, limits), hints, context);
			}
			const { prompt, warnings } = toPrompt(hints.prompt, hints.additionalVocab ?? []);
			const input = {
				audio: toBase64(await readBytes(chunk)),
				...(hints.language && hints.language !== "auto" ? { language: hints.language.split("-", 1)[0] } : {}),
				...(prompt ? { initial_prompt: prompt } : {}),
			};
			const recognition = fromWhisper(await runModel(ai, settings.model, input, limits), context);
			return { ...recognition, warnings: [...warnings, ...recognition.warnings] };
		},
	};
}

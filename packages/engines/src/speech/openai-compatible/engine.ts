import { baseLanguage } from "../../languages.ts";
import type { EngineFetch } from "../../transport/http.ts";
import type { OpenAiServer } from "../../transport/openai-server.ts";
import { readBytes, type SpeechCapabilities, type SpeechEngine } from "../speech-engine.ts";
import { postTranscription, type ResponseFormat } from "./api.ts";
import { toPrompt, toRecognition } from "./transform.ts";

export type OpenAiSpeechSettings = OpenAiServer & {
	/** The engine's `model_code`. */
	code: string;
	/** Name of the model on the server. */
	model: string;
	/** Names of other models for the operating points. */
	operatingPoints?: { enhanced?: string | undefined; standard?: string | undefined } | undefined;
	responseFormat: ResponseFormat;
	/** True if the server accepts vocabulary with pronunciations as a field. Otherwise the vocabulary is added to the prompt. */
	acceptsVocabulary: boolean;
	capabilities: SpeechCapabilities;
	timeoutSeconds?: number | undefined;
};

const MIN_DEADLINE_SECONDS = 120;
const MAX_DEADLINE_SECONDS = 600;

/** Creates an engine for a server with OpenAI's transcription endpoint. */
export function openAiSpeechEngine(settings: OpenAiSpeechSettings, fetch: EngineFetch): SpeechEngine {
	return {
		code: settings.code,
		capabilities: settings.capabilities,
		async transcribe(chunk, hints) {
			const vocabulary = hints.additionalVocab ?? [];
			const prompted = toPrompt(hints.prompt, settings.acceptsVocabulary ? [] : vocabulary);
			const seconds =
				settings.timeoutSeconds ??
				Math.min(MAX_DEADLINE_SECONDS, Math.max(MIN_DEADLINE_SECONDS, 2 * (chunk.durationSeconds ?? 0)));
			const answer = await postTranscription(fetch, {
				baseUrl: settings.baseUrl,
				apiKey: settings.apiKey,
				file: await readBytes(chunk),
				filename: chunk.filename,
				contentType: chunk.contentType,
				model: settings.operatingPoints?.[hints.operatingPoint ?? "enhanced"] ?? settings.model,
				language: hints.language && hints.language !== "auto" ? baseLanguage(hints.language) : undefined,
				prompt: settings.responseFormat === "diarized_json" ? undefined : prompted.prompt,
				additionalVocab: settings.acceptsVocabulary && vocabulary.length > 0 ? vocabulary : undefined,
				responseFormat: settings.responseFormat,
				deadlineMs: seconds * 1000,
				signal: hints.signal,
			});
			const recognition = toRecognition(answer, { durationSeconds: chunk.durationSeconds });
			return { ...recognition, warnings: [...prompted.warnings, ...recognition.warnings] };
		},
	};
}

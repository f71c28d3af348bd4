import { callJson, type EngineFetch } from "../../transport/http.ts";
import { type OpenAiServer, postTo, secretsOf } from "../../transport/openai-server.ts";
import type { VocabularyEntry } from "../speech-engine.ts";

export type ResponseFormat = "verbose_json" | "json" | "diarized_json";

export type TranscriptionRequest = OpenAiServer & {
	file: Uint8Array<ArrayBuffer>;
	filename: string;
	contentType: string;
	model: string;
	language?: string | undefined;
	prompt?: string | undefined;
	additionalVocab?: readonly VocabularyEntry[] | undefined;
	responseFormat: ResponseFormat;
	deadlineMs: number;
	signal?: AbortSignal | undefined;
};

/** Maximum size of a response: several times that of 150 s of dense speech. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Sends `POST {base_url}/audio/transcriptions` and returns the JSON of the response. @throws EngineError */
export function postTranscription(fetch: EngineFetch, request: TranscriptionRequest): Promise<unknown> {
	const form = new FormData();
	form.set("file", new File([request.file], request.filename, { type: request.contentType }));
	form.set("model", request.model);
	form.set("response_format", request.responseFormat);
	if (request.language) form.set("language", request.language);
	if (request.prompt) form.set("prompt", request.prompt);
	if (request.additionalVocab) form.set("additional_vocab", JSON.stringify(request.additionalVocab));
	if (request.responseFormat === "verbose_json") {
		form.append("timestamp_granularities[]", "word");
		form.append("timestamp_granularities[]", "segment");
	}
	// The diarizing model rejects more than 30 s without a chunking strategy.
	if (request.responseFormat === "diarized_json") form.set("chunking_strategy", "auto");

	const headers = { accept: "application/json" };
	return callJson(fetch, postTo(request, "/audio/transcriptions", { headers, body: form }), {
		deadlineMs: request.deadlineMs,
		maxResponseBytes: MAX_RESPONSE_BYTES,
		signal: request.signal,
		secrets: secretsOf(request),
	});
}

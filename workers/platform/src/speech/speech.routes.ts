import { TranscribeSpeech, TranscribeSpeechForm, Transcription } from "@parley/contracts/speech";
import { z } from "zod";
import { createPlatformRouter } from "../context.ts";
import { readSpeechRequest } from "./read-speech-request.ts";
import { transcribeSpeech } from "./speech.service.ts";

export const speechRoutes = createPlatformRouter();

export const SPEECH_ERRORS = [
	"MODEL_NOT_FOUND",
	"INVALID_REQUEST",
	"INSUFFICIENT_CREDITS",
	"UNSUPPORTED_MEDIA_TYPE",
	"ENGINE_FAILED",
] as const;

speechRoutes.route(
	{
		method: "post",
		path: "/v1/stt/{model+}",
		operationId: "transcribeSpeech",
		summary: "Transcribe a recording at once",
		description: "For recordings of up to 25 MiB; longer ones are batch jobs.",
		tag: "Speech",
		access: "speech:use",
		rate: "run",
		params: z.object({ model: z.string().min(1).max(200).meta({ example: "parley/pocketsphinx-en-us" }) }),
		raw: {
			content: {
				"multipart/form-data": { schema: TranscribeSpeechForm },
				"application/json": { schema: TranscribeSpeech },
			},
		},
		examples: { body: { url: "https://example.com/audio.wav", language: "en" } },
		response: Transcription,
		errors: SPEECH_ERRORS,
	},
	async ({ ctx, params, request }) => {
		const { input, hints } = await readSpeechRequest(request);
		return transcribeSpeech(ctx, params.model, input, hints);
	},
);

import { ModelCode } from "@parley/contracts/platform/catalog";
import {
	SynthesiseSpeech,
	TranscribeSpeech,
	TranscribeSpeechForm,
	Transcription,
} from "@parley/contracts/platform/speech";
import type { SynthesisedSpeech } from "@parley/engines/voices/voice-engine";
import { z } from "zod";
import { createPlatformRouter } from "../context.ts";
import { readSpeechRequest } from "./read-speech-request.ts";
import { transcribeSpeech } from "./speech.service.ts";
import { synthesiseSpeech } from "./voice.service.ts";

export const speechRoutes = createPlatformRouter();

const params = z.object({
	model: ModelCode,
});

/** Audio as an answer, in whichever of its types was asked for. */
export const AUDIO_ANSWER = {
	description: "The audio, as it is spoken",
	content: Object.fromEntries(
		["audio/mpeg", "audio/ogg", "audio/aac", "audio/flac", "audio/wav", "audio/pcm"].map((type) => [
			type,
			{ schema: z.string().meta({ format: "binary" }) },
		]),
	),
};

export const VOICE_ERRORS = ["MODEL_NOT_FOUND", "ENGINE_FAILED"] as const;

export const SPEECH_ERRORS = [
	"MODEL_NOT_FOUND",
	"VALIDATION_FAILED",
	"INSUFFICIENT_CREDITS",
	"UNSUPPORTED_MEDIA_TYPE",
	"ENGINE_FAILED",
] as const;

speechRoutes.route(
	{
		method: "post",
		path: "/v1/stt/{model+}",
		operationId: "transcribeSpeech",
		summary: "Transcribe a recording",
		description:
			"Transcribes a recording of up to 25 MiB while the caller waits. Send the audio as the file `audio` of a form, in base64, or as a URL. Submit longer recordings as batch jobs.",
		tag: "Speech",
		access: "speech:use",
		rate: "run",
		params,
		query: z.strictObject({}),
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
	async ({ ctx, params, request, reader }) => {
		const { input, hints } = await readSpeechRequest(request, reader);
		return transcribeSpeech(ctx, params.model, input, hints);
	},
);

speechRoutes.route(
	{
		method: "post",
		path: "/v1/tts/{model+}",
		operationId: "synthesiseSpeech",
		summary: "Speak a text",
		description: "Returns the spoken text as audio, which is streamed while the engine speaks.",
		tag: "Speech",
		access: "speech:use",
		rate: "run",
		params,
		body: SynthesiseSpeech,
		otherResponses: { 200: AUDIO_ANSWER },
		status: 200,
		errors: VOICE_ERRORS,
	},
	async ({ ctx, params, body }) => toAudioResponse(await synthesiseSpeech(ctx, params.model, body)),
);

export const toAudioResponse = ({ body, contentType }: SynthesisedSpeech): Response =>
	new Response(body, { headers: { "content-type": contentType } });

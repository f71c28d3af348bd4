import { ModelCode } from "@parley/contracts/platform/catalog";
import {
	OpenAiModel,
	OpenAiModelList,
	OpenAiSpeech,
	OpenAiTranscription,
	OpenAiTranscriptionForm,
	OpenAiVerboseTranscription,
} from "@parley/contracts/platform/speech";
import { z } from "zod";
import { createPlatformRouter } from "../context.ts";
import { getOpenAiModel, listOpenAiModels } from "./models.service.ts";
import { toOpenAiAnswer, toOpenAiEvents } from "./openai-answer.ts";
import { readFile, readForm, textFields } from "./read-speech-request.ts";
import { AUDIO_ANSWER, SPEECH_ERRORS, toAudioResponse, VOICE_ERRORS } from "./speech.routes.ts";
import { transcribeSpeech } from "./speech.service.ts";
import { synthesiseSpeech } from "./voice.service.ts";

/** Routes that OpenAI's clients call, so that they need only another base URL and key. */
export const openAiRoutes = createPlatformRouter();

const Text = z.string();

openAiRoutes.route(
	{
		method: "post",
		path: "/v1/audio/transcriptions",
		operationId: "createTranscription",
		summary: "Transcribe a recording, as OpenAI does",
		description:
			"Takes and answers what OpenAI's `POST /v1/audio/transcriptions` does, so that its clients work with another base URL and key. Fields without a meaning here are ignored.",
		tag: "OpenAI",
		access: "speech:use",
		rate: "run",
		query: z.strictObject({}),
		raw: { content: { "multipart/form-data": { schema: OpenAiTranscriptionForm } } },
		otherResponses: {
			200: {
				description: "The transcription in the format asked for",
				content: {
					"application/json": { schema: z.union([OpenAiTranscription, OpenAiVerboseTranscription]) },
					"text/plain": { schema: Text },
					"text/vtt": { schema: Text },
					"text/event-stream": { schema: Text },
				},
			},
		},
		status: 200,
		errors: SPEECH_ERRORS,
	},
	async ({ ctx, request, reader }) => {
		const form = await readForm(request, reader);
		const granularities = form.getAll("timestamp_granularities[]");
		const fields = reader.validate(OpenAiTranscriptionForm.omit({ file: true }), {
			...textFields(form),
			"timestamp_granularities[]": granularities.length ? granularities : undefined,
		});
		const input = { bytes: await readFile(form, "file") };
		const transcription = await transcribeSpeech(ctx, fields.model, input, {
			language: fields.language,
			prompt: fields.prompt,
		});
		const granularity = fields["timestamp_granularities[]"];
		const { body, contentType } =
			fields.stream === "true"
				? toOpenAiEvents(transcription)
				: toOpenAiAnswer(transcription, fields.response_format, granularity);
		return new Response(body, { headers: { "content-type": contentType } });
	},
);

openAiRoutes.route(
	{
		method: "post",
		path: "/v1/audio/speech",
		operationId: "createSpeech",
		summary: "Speak a text, as OpenAI does",
		description:
			"Takes and answers what OpenAI's `POST /v1/audio/speech` does. Fields without a meaning here are ignored.",
		tag: "OpenAI",
		access: "speech:use",
		rate: "run",
		body: OpenAiSpeech,
		otherResponses: { 200: AUDIO_ANSWER },
		status: 200,
		errors: VOICE_ERRORS,
	},
	async ({ ctx, body: { model, input, voice, ...speaking } }) => {
		const text = { ...speaking, text: input, voice: typeof voice === "object" ? voice.id : voice };
		return toAudioResponse(await synthesiseSpeech(ctx, model, text));
	},
);

openAiRoutes.route(
	{
		method: "get",
		path: "/v1/models",
		operationId: "listModels",
		summary: "List models, as OpenAI does",
		description:
			"Returns the models that the region offers, in the form that OpenAI's clients expect. The catalog tells more about them.",
		tag: "OpenAI",
		access: "speech:use",
		response: OpenAiModelList,
	},
	({ ctx }) => listOpenAiModels(ctx),
);

openAiRoutes.route(
	{
		method: "get",
		path: "/v1/models/{model+}",
		operationId: "retrieveModel",
		summary: "Get a model, as OpenAI does",
		description:
			"Returns one model in the form that OpenAI's clients expect. The code is the rest of the path.",
		tag: "OpenAI",
		access: "speech:use",
		params: z.object({ model: ModelCode }),
		response: OpenAiModel,
		errors: ["MODEL_NOT_FOUND"],
	},
	({ ctx, params }) => getOpenAiModel(ctx, params.model),
);

import { MAX_SPEECH_BYTES, type SpeechHints, type Transcription } from "@parley/contracts/platform/speech";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { EgressError } from "@parley/egress/egress-error";
import { egressRules } from "@parley/egress/egress-rules";
import { guardedFetch } from "@parley/egress/guarded-fetch";
import { unsupportedFeatures } from "@parley/engines/speech/features";
import type { Recognition, SpeechEngine } from "@parley/engines/speech/speech-engine";
import type { Ctx } from "../context.ts";
import { accountOf, chargeAudio, requireCredit } from "./credit.ts";
import { toApiError } from "./engine-failure.ts";
import { toAudioChunk } from "./speech-audio.ts";

export type AudioInput = { bytes: Uint8Array } | { url: string };

const FETCH_TIMEOUT_MS = 30_000;
/** Default model name of OpenAI's clients. */
const OPENAI_DEFAULT = "whisper-1";

/**
 * Recognises one recording while the caller waits.
 * @throws ApiError MODEL_NOT_FOUND; VALIDATION_FAILED for audio that is none, or a feature that the engine lacks;
 * UNSUPPORTED_MEDIA_TYPE; BODY_TOO_LARGE; INSUFFICIENT_CREDITS; ENGINE_FAILED.
 */
export async function transcribeSpeech(
	ctx: Ctx,
	model: string,
	input: AudioInput,
	hints: SpeechHints,
): Promise<Transcription> {
	const engine = findSpeechEngine(ctx, model);
	assertFeatures(engine, hints);
	await requireCredit(accountOf(ctx));
	const bytes = "bytes" in input ? input.bytes : await fetchAudio(ctx, input.url);
	const recognition = await recognise(engine, bytes, hints);
	const transcription = toTranscription(engine.code, recognition);
	await chargeAudio(accountOf(ctx), engine.code, transcription.duration);
	return transcription;
}

/** @throws ApiError MODEL_NOT_FOUND */
export function findSpeechEngine(ctx: Pick<Ctx, "engines">, model: string): SpeechEngine {
	const { speech } = ctx.engines();
	const engine = speech.find(model) ?? (model === OPENAI_DEFAULT ? speech.default() : undefined);
	if (!engine) throw notFound("Speech-to-text model", model, "MODEL_NOT_FOUND");
	return engine;
}

/** @throws ApiError VALIDATION_FAILED for what was asked and cannot be done: nothing is dropped silently. */
export function assertFeatures(engine: SpeechEngine, { language, additional_vocab }: SpeechHints): void {
	const fields = unsupportedFeatures(engine, {
		language: language === "auto" ? undefined : language,
		additional_vocab,
	}).map(({ field, message }) => ({ path: field.replace("transcription_config.", ""), message }));
	if (fields[0])
		throw new ApiError("VALIDATION_FAILED", `${fields[0].path}: ${fields[0].message}`, { fields });
}

/** @throws ApiError for audio that is none or that the engine does not take, and for what the engine does wrong. */
export async function recognise(
	engine: SpeechEngine,
	bytes: Uint8Array,
	hints: SpeechHints,
): Promise<Recognition> {
	const chunk = await toAudioChunk(bytes);
	const { formats, maxBytes } = engine.capabilities;
	if (!formats.includes(chunk.format))
		throw new ApiError(
			"UNSUPPORTED_MEDIA_TYPE",
			`${engine.code} does not take ${chunk.format} audio: send one of ${formats.join(", ")}`,
		);
	if (bytes.byteLength > maxBytes)
		throw new ApiError(
			"BODY_TOO_LARGE",
			`${engine.code} takes at most ${maxBytes} bytes of audio: submit a batch job instead`,
		);
	return engine
		.transcribe(chunk, {
			...(hints.language && { language: hints.language }),
			...(hints.prompt && { prompt: hints.prompt }),
			...(hints.operating_point && { operatingPoint: hints.operating_point }),
			...(hints.additional_vocab && { additionalVocab: hints.additional_vocab }),
		})
		.catch((error) => {
			throw toApiError(error);
		});
}

export function toTranscription(model: string, recognition: Recognition): Transcription {
	const { text, language, words, segments, warnings } = recognition;
	return {
		text,
		language,
		duration: recognition.durationSeconds ?? Math.max(0, ...segments.map(({ end }) => end)),
		model,
		words: words.map(({ word, start, end, confidence }) => ({ word, start, end, confidence })),
		segments: segments.map((segment, id) => ({
			id,
			start: segment.start,
			end: segment.end,
			text: segment.text,
		})),
		warnings,
	};
}

async function fetchAudio(ctx: Ctx, url: string): Promise<Uint8Array> {
	try {
		const response = await guardedFetch(
			{ url, headers: { accept: "audio/*, video/*;q=0.9, */*;q=0.5", "accept-encoding": "identity" } },
			{
				...egressRules(ctx.env),
				timeoutMs: FETCH_TIMEOUT_MS,
				maxResponseBytes: MAX_SPEECH_BYTES,
			},
		);
		if (response.ok) return new Uint8Array(await response.arrayBuffer());
		await response.body?.cancel();
		throw badUrl(`The host answered with status ${response.status}`);
	} catch (error) {
		if (!(error instanceof EgressError)) throw error;
		if (error.code === "body_too_large")
			throw new ApiError(
				"BODY_TOO_LARGE",
				"url: The audio is larger than 25 MiB: submit a batch job instead",
			);
		// Not the caller's fault, nor that of the host.
		if (error.code === "resolver_failed")
			throw new ApiError("INTERNAL_ERROR", `url: ${error.message}`, { cause: error });
		throw badUrl(error.message);
	}
}

const badUrl = (message: string): ApiError =>
	new ApiError("VALIDATION_FAILED", `url: ${message}`, { fields: [{ path: "url", message }] });

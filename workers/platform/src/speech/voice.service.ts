import { usageAccount } from "@parley/context/actor";
import type { SynthesiseSpeech } from "@parley/contracts/platform/speech";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { addUsage } from "@parley/db/platform/usage";
import type { SynthesisedSpeech, VoiceCapabilities } from "@parley/engines/voices/voice-engine";
import type { Ctx } from "../context.ts";
import { toApiError } from "./engine-failure.ts";

/**
 * Speaks a text; the audio is a stream.
 * @throws ApiError MODEL_NOT_FOUND; VALIDATION_FAILED for what the model cannot do; ENGINE_FAILED.
 */
export async function synthesiseSpeech(
	ctx: Ctx,
	model: string,
	input: SynthesiseSpeech,
): Promise<SynthesisedSpeech> {
	const engine = ctx.engines().voices.find(model);
	if (!engine) throw notFound("Text-to-speech model", model, "MODEL_NOT_FOUND");
	assertCanSpeak(engine.capabilities, input);
	const { text, voice, response_format, speed, instructions } = input;
	const speech = await engine
		.synthesise({ text, voice, format: response_format, speed, instructions })
		.catch((error) => {
			throw toApiError(error);
		});
	const { actor, db } = ctx;
	const of = { organisationId: actor.organisation.id, apiKeyId: usageAccount(actor), modelCode: model };
	ctx.defer(addUsage(db, { ...of, at: ctx.clock() }, { characters: text.length }).run());
	return speech;
}

function assertCanSpeak(can: VoiceCapabilities, input: SynthesiseSpeech): void {
	const refuse = (path: string, message: string): never => {
		throw new ApiError("VALIDATION_FAILED", `${path}: ${message}`, { fields: [{ path, message }] });
	};
	if (input.text.length > can.maxCharacters)
		refuse("text", `Must have at most ${can.maxCharacters} characters`);
	if (!can.formats.includes(input.response_format))
		refuse("response_format", `Must be one of ${can.formats.join(", ")} for this model`);
	if (input.voice !== undefined && can.voices !== "any" && !can.voices.includes(input.voice))
		refuse("voice", `Must be one of ${can.voices.join(", ")} for this model`);
	if (input.speed !== undefined && !can.speed) refuse("speed", "Not supported by this model: leave it out");
	if (input.instructions !== undefined && !can.instructions)
		refuse("instructions", "Not supported by this model: leave it out");
}

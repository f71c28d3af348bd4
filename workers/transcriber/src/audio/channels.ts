import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import { StepError } from "../step-error.ts";

/** Most channels that are recognised separately. */
const MAX_CHANNELS = 8;

/** Returns whether Parley must recognise the channels one after the other. */
export const splitsChannels = (
	{ capabilities }: SpeechEngine,
	{ diarization }: { diarization: string },
): boolean => diarization === "channel" && !capabilities.diarization?.channel;

/** @throws StepError when there are more than can be recognised separately. */
export function assertChannels(channels: number): void {
	if (channels <= MAX_CHANNELS) return;
	const message = `The audio has ${channels} channels; at most ${MAX_CHANNELS} can be recognised separately.`;
	throw new StepError("input_too_many_channels", message);
}

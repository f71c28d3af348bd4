import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import { Setback } from "../setback.ts";

/** Each is recognised as if it were a recording of its own. */
const MAX_CHANNELS = 8;

/** Whether the channels of a job's audio have to be recognised one after the other. */
export const splitsChannels = (
	{ capabilities }: SpeechEngine,
	{ diarization }: { diarization: string },
): boolean => diarization === "channel" && !capabilities.diarization?.channel;

/** @throws Setback when there are more than can be recognised apart. */
export function assertChannels(channels: number): void {
	if (channels <= MAX_CHANNELS) return;
	const message = `The audio has ${channels} channels; at most ${MAX_CHANNELS} can be recognised apart.`;
	throw new Setback("input_too_many_channels", message);
}

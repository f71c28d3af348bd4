import type { ChunkResult } from "../chunks/chunk-result.ts";

/** Returns warnings about the channels of a job with channel diarization. */
export function channelWarnings(
	results: readonly Pick<ChunkResult, "channelSounds">[],
	channelsOfInput: number,
	labels: readonly string[] = [],
): string[] {
	const sounds = results.flatMap(({ channelSounds }) => (channelSounds ? [channelSounds] : []));
	const channels = Math.max(sounds.length > 0 ? 0 : channelsOfInput, ...sounds.map(({ length }) => length));
	const warnings: string[] = [];
	if (labels.length > channels) {
		const has = channels === 1 ? "one channel" : `${channels} channels`;
		warnings.push(`${labels.length} channel labels were given, but the audio has ${has}.`);
	}
	for (let channel = 1; channel < channels; channel++) {
		const twin = sounds[0]?.findIndex((_, other) => other < channel && areSame(sounds, other, channel)) ?? -1;
		if (twin >= 0) warnings.push(`Channels ${twin + 1} and ${channel + 1} hold the same sound.`);
	}
	return warnings;
}

/** Silence alone does not make two channels one. */
const areSame = (sounds: readonly string[][], a: number, b: number): boolean =>
	sounds.every((chunk) => chunk[a] === chunk[b]) && sounds.some((chunk) => chunk[a] !== "");

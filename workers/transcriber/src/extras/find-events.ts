import type { AudioEvent } from "@parley/contracts/transcript-extras";
import type { JobRow } from "@parley/db/jobs";
import type { SoundExtra } from "@parley/engines/language/extras";
import type { LanguageEngine } from "@parley/engines/language/language-engine";
import { Setback } from "../setback.ts";
import { channelName } from "../transcripts/channel-name.ts";
import type { SoundScores } from "./sound-scores.ts";

/** A chunk's place in the recording and what it sounds like; without scores it is silent. */
export type ChunkSounds = { startSeconds: number; endSeconds: number; scores: SoundScores | undefined };

/**
 * The events in a recording, in time order; where its channels were heard apart, those of each.
 * @throws Setback when a part of the recording could not be measured.
 */
export function findEvents(
	engine: LanguageEngine,
	{ types }: SoundExtra,
	sounds: readonly ChunkSounds[],
	row: Pick<JobRow, "jobConfig">,
): AudioEvent[] {
	for (const { scores } of sounds)
		if (scores && "error" in scores) throw new Setback(scores.error.type, scores.error.message);
	const wanted = types.length > 0 ? types : (engine.capabilities.audio_events?.types ?? []);
	return tracksIn(sounds)
		.flatMap((channel) => {
			const chunks = sounds.map((chunk) => ({ ...chunk, scores: scoresOf(chunk, channel) }));
			const events = engine.findEvents?.(chunks, wanted) ?? [];
			return events.map(({ type, start, end, confidence }) => ({
				type,
				start_time: Math.round(1000 * start) / 1000,
				end_time: Math.round(1000 * end) / 1000,
				confidence: Math.round(100 * confidence) / 100,
				...(channel !== undefined && { channel: channelName(row, channel) }),
			}));
		})
		.sort((a, b) => a.start_time - b.start_time);
}

/** The channels that there are, undefined for sound that was measured as a whole. */
function tracksIn(sounds: readonly ChunkSounds[]): (number | undefined)[] {
	const tracks = new Set<number | undefined>();
	for (const { scores } of sounds) {
		if (scores && "mixed" in scores) tracks.add(undefined);
		if (scores && "channels" in scores) for (const channel of scores.channels.keys()) tracks.add(channel);
	}
	return [...tracks];
}

function scoresOf({ scores }: ChunkSounds, channel: number | undefined): number[] {
	const hundredths =
		scores && "mixed" in scores && channel === undefined
			? scores.mixed
			: scores && "channels" in scores && channel !== undefined
				? (scores.channels[channel] ?? [])
				: [];
	return hundredths.map((score) => score / 100);
}

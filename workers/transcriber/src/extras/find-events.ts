import { channelName } from "@parley/batch/channel-name";
import type { AudioEvent } from "@parley/contracts/batch/transcript-extras";
import type { JobRow } from "@parley/db/batch/jobs";
import type { AudioExtra } from "@parley/engines/language/extras";
import type { LanguageEngine } from "@parley/engines/language/language-engine";
import type { ChunkSounds } from "../chunks/sound-scores.ts";
import { StepError } from "../step-error.ts";

/**
 * The events in a recording, in time order; where its channels were heard apart, those of each.
 * @throws StepError when a part of the recording could not be measured.
 */
export function findEvents(
	engine: LanguageEngine,
	{ types }: AudioExtra,
	sounds: readonly ChunkSounds[],
	row: Pick<JobRow, "jobConfig">,
): AudioEvent[] {
	for (const { scores } of sounds)
		if (scores && "error" in scores) throw new StepError(scores.error.type, scores.error.message);
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

/** Returns the channels that were measured, undefined for a recording that was measured as a whole. */
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

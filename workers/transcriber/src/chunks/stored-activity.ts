import type { PlannedChunk } from "@parley/chunking/plan";
import { packSpans, type SpanRuns, unpackSpans } from "@parley/chunking/spans";
import type { VoiceDetection } from "@parley/chunking/voice-detection";
import type { ChunkVoice, Span } from "@parley/transcripts/coverage";

/** Voiced and silent spans of a chunk as stored with its result. `voiced` is null where levels are unknown. */
export type StoredActivity = { voiced: SpanRuns | null; silent: SpanRuns };

export const storeActivity = ({ voiced, silent }: VoiceDetection): StoredActivity => ({
	voiced: voiced && packSpans(voiced),
	silent: packSpans(silent, { inwards: true }),
});

/** Returns silent spans in seconds from the start of the chunk. */
export const silencesOf = (stored: StoredActivity | undefined): Span[] =>
	stored ? unpackSpans(stored.silent) : [];

/** Returns voiced spans in seconds from the start of the recording. */
export const voiceOf = (
	stored: StoredActivity | undefined,
	{ startSeconds, endSeconds }: PlannedChunk,
): ChunkVoice => ({
	start: startSeconds,
	end: endSeconds,
	voiced: stored?.voiced ? unpackSpans(stored.voiced, startSeconds) : null,
});

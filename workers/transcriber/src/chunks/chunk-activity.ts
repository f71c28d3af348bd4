import type { PlannedChunk } from "@parley/chunking/plan";
import { packSpans, type SpanRuns, unpackSpans } from "@parley/chunking/spans";
import type { VoiceDetection } from "@parley/chunking/voice-detection";
import type { ChunkVoice, Span } from "@parley/transcripts/coverage";

/** Speech and silence of a chunk as they are kept with what was heard in it; `voiced` is null where levels did not tell. */
export type StoredActivity = { voiced: SpanRuns | null; silent: SpanRuns };

export const storeActivity = ({ voiced, silent }: VoiceDetection): StoredActivity => ({
	voiced: voiced && packSpans(voiced),
	silent: packSpans(silent, { inwards: true }),
});

/** Silences in seconds from the chunk's start. */
export const silencesOf = (stored: StoredActivity | undefined): Span[] =>
	stored ? unpackSpans(stored.silent) : [];

/** Speech in seconds from the start of the recording. */
export const voiceOf = (
	stored: StoredActivity | undefined,
	{ startSeconds, endSeconds }: PlannedChunk,
): ChunkVoice => ({
	start: startSeconds,
	end: endSeconds,
	voiced: stored?.voiced ? unpackSpans(stored.voiced, startSeconds) : null,
});

import { outputKey } from "@parley/batch/object-keys";
import { readRevision } from "@parley/batch/stored-revision";
import { type TranscriptWord, wordsOf } from "@parley/batch/transcript-words";
import { MAX_LISTED_CHANGES, type RevisionChange } from "@parley/contracts/batch/revisions";
import type { Transcript } from "@parley/contracts/batch/transcript";
import { diffWords, textOf, type WordChange } from "@parley/transcripts/diff";
import { labelOf } from "@parley/transcripts/speakers";
import type { Ctx } from "../context.ts";
import { expired, type Revised } from "./revision-row.ts";

/** Reads the words of a revision. @throws ApiError RESOURCE_NOT_FOUND when they were removed */
export async function readWords({ env }: Ctx, { job, row }: Revised): Promise<TranscriptWord[]> {
	if (row) {
		const words = await readRevision(env.MEDIA, job, row.id);
		if (!words) throw expired(job);
		return words;
	}
	const object = await env.MEDIA.get(outputKey(job, "json"));
	if (!object) throw expired(job);
	// Parley wrote it. A schema would copy what may have a hundred thousand words.
	return wordsOf((await object.json<Transcript>()).results);
}

/** Returns the differences between two states of a transcript as the API lists them. */
export function listChanges(
	base: readonly TranscriptWord[],
	next: readonly TranscriptWord[],
): { changes: RevisionChange[]; changes_truncated: boolean } {
	const changes = diffWords(base, next);
	return {
		changes: changes.slice(0, MAX_LISTED_CHANGES).map((change) => toChange(change, base)),
		changes_truncated: changes.length > MAX_LISTED_CHANGES,
	};
}

function toChange({ start, end, left, right }: WordChange, base: readonly TranscriptWord[]): RevisionChange {
	const [before, after] = [left[0], right[0]];
	// Where nothing was said before, the change lies behind the word in front of it.
	const from = before?.start ?? after?.start ?? base[start - 1]?.end ?? 0;
	const until = Math.max(from, ...ends(left), ...ends(right));
	return {
		...{ start, end, before: textOf(left), after: textOf(right) },
		speaker_before: before ? labelOf(before) : null,
		speaker_after: after ? labelOf(after) : null,
		...{ start_time: from, end_time: until },
	};
}

/** Returns the first and last end of words: a change may have more words than a call may have arguments. */
const ends = (words: readonly TranscriptWord[]): number[] =>
	words.length > 0 ? [words.reduce((latest, { end }) => Math.max(latest, end), 0)] : [];

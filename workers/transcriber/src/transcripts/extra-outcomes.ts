import { workPrefix } from "@parley/batch/object-keys";
import type { ExtraError, ExtrasMetadata, TranscriptExtras } from "@parley/contracts/batch/transcript-extras";
import type { JobRow } from "@parley/db/batch/jobs";
import { type Extra, extrasOf } from "@parley/engines/language/extras";
import type { Ctx } from "../context.ts";

/** Outcome of one extra, stored until the job is finished, so that an engine is called and paid once. */
export type Outcome = { extra: Extra } & ({ engine: string; made: TranscriptExtras } | { error: ExtraError });

/** Returns the name of an extra in metadata and warnings. */
export const nameOf = (extra: Extra): string =>
	extra.feature === "translation" ? `translation/${extra.target}` : extra.feature;

function keyOf(row: JobRow, extra: Extra): string {
	const types = extra.feature === "audio_events" ? extra.types : [];
	return `${workPrefix(row)}extras/${[nameOf(extra), ...types].join("/")}.json`;
}

export async function storeOutcome({ env }: Ctx, row: JobRow, outcome: Outcome): Promise<void> {
	await env.MEDIA.put(keyOf(row, outcome.extra), JSON.stringify(outcome), {
		httpMetadata: { contentType: "application/json" },
	});
}

/** Returns the stored outcomes of a job's extras, in the order requested, and the extras that are missing. */
export async function findOutcomes(
	{ env }: Ctx,
	row: JobRow,
): Promise<{ outcomes: Outcome[]; missing: Extra[] }> {
	const extras = extrasOf(row.jobConfig);
	const objects = await Promise.all(extras.map((extra) => env.MEDIA.get(keyOf(row, extra))));
	const found = await Promise.all(objects.map((object) => object?.json<Outcome>()));
	return {
		outcomes: found.filter((outcome) => outcome !== undefined),
		missing: extras.filter((_, index) => found[index] === undefined),
	};
}

/** Converts outcomes to what the transcript shows. Each failure is also a warning. */
export function toResults(outcomes: readonly Outcome[]): {
	made: TranscriptExtras;
	metadata: ExtrasMetadata;
	warnings: string[];
} {
	const made: TranscriptExtras = {};
	const metadata: ExtrasMetadata = {};
	const warnings: string[] = [];
	for (const outcome of outcomes) {
		const { extra } = outcome;
		if ("made" in outcome) {
			const { translations, audio_events, ...others } = outcome.made;
			Object.assign(made, others);
			if (translations) made.translations = { ...made.translations, ...translations };
			if (audio_events)
				made.audio_events = [...(made.audio_events ?? []), ...audio_events].sort(
					(a, b) => a.start_time - b.start_time,
				);
			metadata.language_engines = { ...metadata.language_engines, [nameOf(extra)]: outcome.engine };
		} else {
			const key = `${extra.feature}_errors` as const;
			metadata[key] = [...(metadata[key] ?? []), outcome.error];
			warnings.push(`${nameOf(extra)}: ${outcome.error.message}`);
		}
	}
	return { made, metadata, warnings };
}

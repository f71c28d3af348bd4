import { chunkResultKey } from "@parley/batch/object-keys";
import type { JobRow } from "@parley/db/batch/jobs";
import { joinRecognitions } from "@parley/transcripts/join";
import { readPlan } from "../audio/job-plan.ts";
import { type ChunkResult, findResult } from "../chunks/chunk-result.ts";
import { voiceOf } from "../chunks/stored-activity.ts";
import type { Ctx } from "../context.ts";
import { channelWarnings } from "./channel-warnings.ts";
import { gateChunk, listRemoved } from "./hallucinations.ts";
import { joinPeaks } from "./join-peaks.ts";
import { judgeCoverage } from "./judge-coverage.ts";
import { languageWarnings } from "./language-warnings.ts";
import type { Recognised } from "./to-transcript.ts";

const AT_ONCE = 8;

/** Joins the results of all chunks. Returns the positions of missing results instead if there are any. */
export async function joinChunks(ctx: Ctx, row: JobRow): Promise<Recognised | { missing: number[] }> {
	const { chunks, info, warnings } = await readPlan(ctx, row);
	const results = await readResults(ctx, row, chunks.length);
	const missing = results.flatMap((result, position) => (result ? [] : [position]));
	if (missing.length > 0) return { missing };
	const found = results.filter((result) => result !== undefined);
	const { language: asked, diarization, channel_diarization_labels } = row.jobConfig.transcription_config;
	const languageOf = ({ language }: ChunkResult) => language ?? (asked === "auto" ? null : asked);
	const gated = found.map((result, position) => ({
		...gateChunk(result),
		startSeconds: chunks[position]?.startSeconds ?? 0,
		endSeconds: chunks[position]?.endSeconds ?? 0,
		result,
	}));
	const words = joinRecognitions(
		gated.map(({ startSeconds, endSeconds, kept, result }) => ({
			startSeconds,
			endSeconds,
			words: kept.map((word) => ({ language: languageOf(result), ...word })),
		})),
	);
	const judgement = judgeCoverage(
		words,
		chunks.map((chunk, position) => voiceOf(found[position]?.activity, chunk)),
		info.codec,
		Number(ctx.env.MIN_COVERAGE),
	);
	const unique = <T>(values: T[]): T[] => [...new Set(values)];
	return {
		words,
		languages: unique([...found.map(languageOf), ...words.map(({ language }) => language)]).filter(
			(language) => language !== null,
		),
		...judgement,
		...listRemoved(gated),
		engines: enginesOf(row, found),
		peaks: joinPeaks(
			gated.map(({ startSeconds, result }) => ({ ...result, startSeconds })),
			row.inputMetadata.duration_seconds ?? gated.at(-1)?.endSeconds ?? 0,
		),
		sounds: gated.map(({ startSeconds, endSeconds, result }) => ({
			startSeconds,
			endSeconds,
			scores: result.scores,
		})),
		wordTimesEstimated: found.some((result) => result.wordTimesEstimated),
		warnings: unique([
			...warnings,
			...judgement.warnings,
			...languageWarnings(words, asked),
			...(diarization === "channel" ? channelWarnings(found, info.channels, channel_diarization_labels) : []),
			...found.flatMap((result) => result.warnings),
		]),
	};
}

/** Returns the engines that recognised something, the one of the job's model first. For a silent recording that one alone. */
function enginesOf({ modelCode }: JobRow, found: ChunkResult[]): string[] {
	const recognised = found.filter(({ words }) => words.length > 0);
	const used = new Set(
		recognised.length > 0 ? recognised.map(({ engine }) => engine ?? modelCode) : [modelCode],
	);
	return [...used].sort((a, b) => Number(b === modelCode) - Number(a === modelCode));
}

async function readResults(ctx: Ctx, row: JobRow, count: number): Promise<(ChunkResult | undefined)[]> {
	const results: (ChunkResult | undefined)[] = [];
	for (let from = 0; from < count; from += AT_ONCE) {
		const positions = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => from + index);
		const read = positions.map((position) => findResult(ctx, chunkResultKey(row, position)));
		results.push(...(await Promise.all(read)));
	}
	return results;
}

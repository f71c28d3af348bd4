import { channelResultKey } from "@parley/batch/object-keys";
import { toBase64 } from "@parley/bytes/base64";
import type { SlicedChunk } from "@parley/chunking/slice-chunk";
import type { Recognition } from "@parley/engines/speech/speech-engine";
import { assertChannels } from "../audio/channels.ts";
import { type DecodedChunk, decodeChunk } from "../audio/decode-chunk.ts";
import { type ChunkResult, EMPTY_RECOGNITION, findResult, writeResult } from "../chunks/chunk-result.ts";
import {
	NO_SOUNDS,
	scoreSounds,
	splitByChannel,
	type WholeScores,
	wantsSounds,
} from "../chunks/sound-scores.ts";
import type { Ctx } from "../context.ts";
import type { ChunkTask } from "./chunk-task.ts";
import { toHints } from "./hints.ts";

/** 60 dB below full scale, which contains no speech. */
const SILENT_PEAK = 0.001;

/**
 * Recognises the channels of a chunk one after the other. A silent channel and a copy of another channel cost no call of the
 * engine. Results of an earlier attempt are used again.
 * @throws StepError
 */
export async function recogniseChannels(ctx: Ctx, task: ChunkTask, chunk: SlicedChunk): Promise<ChunkResult> {
	const recognised: Recognition[] = [];
	const sounds: string[] = [];
	const scored: WholeScores[] = [];
	const peaks: string[] = [];
	for (let channel = 0, channels = 1; channel < channels; channel++) {
		task.signal.throwIfAborted();
		const audio = await decodeChunk(ctx, task.plan, chunk, channel);
		channels = audio.channels;
		assertChannels(channels);
		peaks.push(toBase64(audio.peaks));
		const sound = audio.peak < SILENT_PEAK ? "" : await fingerprint(audio.bytes);
		const twin = sounds.indexOf(sound);
		sounds.push(sound);
		recognised.push(
			sound === ""
				? EMPTY_RECOGNITION
				: (recognised[twin] ?? (await recogniseChannel(ctx, task, audio, channel))),
		);
		if (!wantsSounds(task.job)) continue;
		scored.push(sound === "" ? NO_SOUNDS : (scored[twin] ?? (await scoreSounds(ctx, task, audio))));
	}
	const merged = { ...mergeChannels(recognised, sounds), peaks };
	return wantsSounds(task.job) ? { ...merged, scores: splitByChannel(scored) } : merged;
}

async function recogniseChannel(
	ctx: Ctx,
	{ job, position, engine, isRetry, signal }: ChunkTask,
	audio: DecodedChunk,
	channel: number,
): Promise<Recognition> {
	const key = channelResultKey(job, position, channel);
	const before = isRetry ? await findResult(ctx, key) : undefined;
	if (before?.engine === engine.code) return before;
	const result = await engine.transcribe(audio, { ...toHints(job.jobConfig), diarization: "none", signal });
	signal.throwIfAborted();
	await writeResult(ctx, key, { ...result, engine: engine.code });
	return result;
}

/** Merges the results of several channels. Words and segments are in time order, each with its channel. */
export function mergeChannels(recognised: readonly Recognition[], channelSounds: string[]): ChunkResult {
	const unique = <T>(values: T[]): T[] => [...new Set(values)];
	const byStart = (a: { start: number }, b: { start: number }) => a.start - b.start;
	const talkative = recognised.toSorted((a, b) => b.words.length - a.words.length);
	return {
		language: talkative.find(({ language }) => language !== null)?.language ?? null,
		durationSeconds:
			recognised.find(({ durationSeconds }) => durationSeconds !== null)?.durationSeconds ?? null,
		text: recognised
			.map(({ text }) => text)
			.filter(Boolean)
			.join("\n"),
		segments: recognised
			.flatMap(({ segments }, channel) => segments.map((segment) => ({ ...segment, channel })))
			.sort(byStart),
		words: recognised
			.flatMap(({ words, language }, channel) =>
				words.map((word) => ({ ...word, channel, ...(language !== null && { language }) })),
			)
			.sort(byStart),
		wordTimesEstimated: recognised.some(({ wordTimesEstimated }) => wordTimesEstimated),
		warnings: unique(recognised.flatMap(({ warnings }) => warnings)),
		channelSounds,
	};
}

async function fingerprint(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
	return toBase64(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

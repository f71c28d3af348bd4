import { toBase64 } from "@parley/audio-files/bytes";
import type { SlicedChunk } from "@parley/chunking/slice-chunk";
import { channelResultKey } from "@parley/db/media";
import type { Recognition } from "@parley/engines/speech/speech-engine";
import type { Ctx } from "../context.ts";
import { apart, NOTHING_SOUNDS, scoreSounds, type WholeScores, wantsSounds } from "../extras/sound-scores.ts";
import { assertChannels } from "../inputs/channels.ts";
import { type DecodedChunk, decodeChunk } from "../inputs/decode-chunk.ts";
import { type ChunkResult, findResult, NOTHING_HEARD, writeResult } from "./chunk-result.ts";
import type { Hearing } from "./hear-chunk.ts";
import { toHints } from "./hints.ts";

/** 60 dB below full scale: nobody speaks there. */
const SILENT_PEAK = 0.001;

/**
 * Has the channels of a chunk recognised one after the other. A silent one costs no call of the engine, nor does one that
 * sounds as another; what an earlier try has heard is not heard again.
 * @throws Setback
 */
export async function hearChannels(ctx: Ctx, hearing: Hearing, chunk: SlicedChunk): Promise<ChunkResult> {
	const heard: Recognition[] = [];
	const sounds: string[] = [];
	const scored: WholeScores[] = [];
	for (let channel = 0, channels = 1; channel < channels; channel++) {
		hearing.signal.throwIfAborted();
		const audio = await decodeChunk(ctx, hearing.plan, chunk, channel);
		channels = audio.channels;
		assertChannels(channels);
		const sound = audio.peak < SILENT_PEAK ? "" : await fingerprint(audio.bytes);
		const twin = sounds.indexOf(sound);
		sounds.push(sound);
		heard.push(
			sound === "" ? NOTHING_HEARD : (heard[twin] ?? (await hearChannel(ctx, hearing, audio, channel))),
		);
		if (!wantsSounds(hearing.job)) continue;
		scored.push(sound === "" ? NOTHING_SOUNDS : (scored[twin] ?? (await scoreSounds(ctx, hearing, audio))));
	}
	const merged = mergeChannels(heard, sounds);
	return wantsSounds(hearing.job) ? { ...merged, scores: apart(scored) } : merged;
}

async function hearChannel(
	ctx: Ctx,
	{ job, position, engine, isRetry, signal }: Hearing,
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

/** One result of several channels, its words and segments in time order, each with its channel. */
export function mergeChannels(heard: readonly Recognition[], channelSounds: string[]): ChunkResult {
	const unique = <T>(values: T[]): T[] => [...new Set(values)];
	const byStart = (a: { start: number }, b: { start: number }) => a.start - b.start;
	const talkative = heard.toSorted((a, b) => b.words.length - a.words.length);
	return {
		language: talkative.find(({ language }) => language !== null)?.language ?? null,
		durationSeconds: heard.find(({ durationSeconds }) => durationSeconds !== null)?.durationSeconds ?? null,
		text: heard
			.map(({ text }) => text)
			.filter(Boolean)
			.join("\n"),
		segments: heard
			.flatMap(({ segments }, channel) => segments.map((segment) => ({ ...segment, channel })))
			.sort(byStart),
		words: heard
			.flatMap(({ words, language }, channel) =>
				words.map((word) => ({ ...word, channel, ...(language !== null && { language }) })),
			)
			.sort(byStart),
		wordTimesEstimated: heard.some(({ wordTimesEstimated }) => wordTimesEstimated),
		warnings: unique(heard.flatMap(({ warnings }) => warnings)),
		channelSounds,
	};
}

async function fingerprint(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
	return toBase64(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

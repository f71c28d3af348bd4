import type { AudioInfo } from "@parley/audio-files/audio-info";
import { bytesSource } from "@parley/audio-files/audio-source";
import { probe } from "@parley/audio-files/probe";
import type { SlicedChunk } from "@parley/chunking/slice-chunk";
import { logError } from "@parley/context/log";
import type { ExtraError } from "@parley/contracts/batch/transcript-extras";
import type { JobRow } from "@parley/db/batch/jobs";
import {
	type Activation,
	activations,
	SAMPLE_RATES,
	type SampleRate,
} from "@parley/engines/audio-events/frequency-activation";
import { musicScores } from "@parley/engines/audio-events/music-scores";
import { decodeChunk } from "../audio/decode-chunk.ts";
import type { JobPlan } from "../audio/job-plan.ts";
import type { Ctx } from "../context.ts";
import { StepError } from "../step-error.ts";

/** Score per second, in hundredths. Empty for a silent chunk. */
type Scores = number[];

/** Scores of a chunk as stored with its result: as a whole, per channel, or the reason why there are none. */
export type SoundScores = WholeScores | { channels: Scores[] };
export type WholeScores = { mixed: Scores } | { error: ExtraError };

/** Position of a chunk in the recording and its scores. A chunk without scores is silent. */
export type ChunkSounds = { startSeconds: number; endSeconds: number; scores: SoundScores | undefined };

export const NO_SOUNDS: WholeScores = { mixed: [] };

/** Seconds of audio after which other requests get the thread. */
const YIELD_SECONDS = 10;
const DECODER_ATTEMPTS = 2;

export const wantsSounds = ({ jobConfig }: Pick<JobRow, "jobConfig">): boolean =>
	jobConfig.audio_events_config !== undefined;

/** Returns whether a file is measured as it is. Any other is decoded first. */
export const isPlain = ({ layout, channels, sampleRate }: AudioInfo): boolean =>
	layout.kind === "wav" &&
	layout.sampleFormat === "s16" &&
	channels === 1 &&
	SAMPLE_RATES.some((rate) => rate === sampleRate);

/** Measures the sound of a chunk. A failure is part of the result: it costs the extra, not the chunk. */
export async function scoreSounds(
	ctx: Ctx,
	{ plan, signal }: { plan: JobPlan; signal: AbortSignal },
	chunk: SlicedChunk,
): Promise<WholeScores> {
	try {
		return { mixed: await score(ctx, await samplesOf(ctx, plan, chunk), signal) };
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof StepError) return { error: { type: error.code, message: error.message } };
		logError("sounds could not be measured", error);
		return { error: { type: "internal_error", message: "An internal error kept it from being made." } };
	}
}

/** Returns the scores of channels that were measured one by one, or the error of one that could not be measured. */
export function splitByChannel(scored: readonly WholeScores[]): SoundScores {
	const channels: Scores[] = [];
	for (const channel of scored) {
		if ("error" in channel) return channel;
		channels.push(channel.mixed);
	}
	return { channels };
}

type Sound = { samples: Int16Array; rate: SampleRate };

async function score({ sleep }: Ctx, { samples, rate }: Sound, signal: AbortSignal): Promise<Scores> {
	const seconds: Activation[] = [];
	for (const second of activations(samples, rate)) {
		seconds.push(second);
		if (seconds.length % YIELD_SECONDS === 0) await sleep(0, signal);
	}
	return musicScores(seconds).map((value) => Math.round(100 * value));
}

async function samplesOf(ctx: Ctx, plan: JobPlan, chunk: SlicedChunk): Promise<Sound> {
	const plain = chunk.format === "wav" ? await plainSound(chunk.bytes) : undefined;
	const sound = plain ?? (await plainSound(await decoded(ctx, plan, chunk)));
	if (!sound) throw new Error("The decoder gave another kind of file than it does");
	return sound;
}

/** Decodes a chunk. Repeats the call if the decoder itself failed. */
async function decoded(ctx: Ctx, plan: JobPlan, chunk: SlicedChunk): Promise<Uint8Array<ArrayBuffer>> {
	for (let attempt = 1; ; attempt++) {
		try {
			return (await decodeChunk(ctx, plan, chunk)).bytes;
		} catch (error) {
			if (!(error instanceof StepError) || !error.retryable || attempt === DECODER_ATTEMPTS) throw error;
		}
	}
}

/** Reads the samples of a plain file. Returns undefined for any other. */
async function plainSound(bytes: Uint8Array<ArrayBuffer>): Promise<Sound | undefined> {
	const info = await probe(bytesSource(bytes));
	const { layout, sampleRate } = info;
	if (!isPlain(info) || layout.kind !== "wav") return undefined;
	// An Int16Array needs an even offset.
	const data = bytes.subarray(layout.start, layout.end);
	const { buffer, byteOffset, length } = data.byteOffset % 2 === 0 ? data : data.slice();
	return { samples: new Int16Array(buffer, byteOffset, length >> 1), rate: sampleRate as SampleRate };
}

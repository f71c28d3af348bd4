import type { AudioInfo } from "@parley/audio-files/audio-info";
import { bytesSource } from "@parley/audio-files/audio-source";
import { probe } from "@parley/audio-files/probe";
import type { SlicedChunk } from "@parley/chunking/slice-chunk";
import { logError } from "@parley/context/log";
import type { ExtraError } from "@parley/contracts/transcript-extras";
import type { JobRow } from "@parley/db/jobs";
import {
	type Activation,
	activations,
	SAMPLE_RATES,
	type SampleRate,
} from "@parley/engines/audio-events/frequency-activation";
import { musicScores } from "@parley/engines/audio-events/music-scores";
import type { Ctx } from "../context.ts";
import { decodeChunk } from "../inputs/decode-chunk.ts";
import type { JobPlan } from "../inputs/job-plan.ts";
import { Setback } from "../setback.ts";

/** Scores of each second, in hundredths; empty where nothing sounds. */
type Scores = number[];

/** What a chunk sounds like, as it is kept with what was heard in it: as a whole, channel by channel, or why it is not known. */
export type SoundScores = WholeScores | { channels: Scores[] };
export type WholeScores = { mixed: Scores } | { error: ExtraError };

export const NOTHING_SOUNDS: WholeScores = { mixed: [] };

/** Others get their turn in between. */
const TURN_SECONDS = 10;
const DECODER_TRIES = 2;

export const wantsSounds = ({ jobConfig }: Pick<JobRow, "jobConfig">): boolean =>
	jobConfig.audio_events_config !== undefined;

/** Whether the sound of a file is looked at as it is; all else is decoded first. */
export const isPlain = ({ layout, channels, sampleRate }: AudioInfo): boolean =>
	layout.kind === "wav" &&
	layout.sampleFormat === "s16" &&
	channels === 1 &&
	SAMPLE_RATES.some((rate) => rate === sampleRate);

/** Measures the sound of a chunk. What goes wrong is the answer: it costs the extra, not the chunk. */
export async function scoreSounds(
	ctx: Ctx,
	{ plan, signal }: { plan: JobPlan; signal: AbortSignal },
	chunk: SlicedChunk,
): Promise<WholeScores> {
	try {
		return { mixed: await score(ctx, await samplesOf(ctx, plan, chunk), signal) };
	} catch (error) {
		signal.throwIfAborted();
		if (error instanceof Setback) return { error: { type: error.code, message: error.message } };
		logError("sounds could not be measured", error);
		return { error: { type: "internal_error", message: "An internal error kept it from being made." } };
	}
}

/** The scores of channels that were measured one by one; where one of them is not known none is. */
export function apart(scored: readonly WholeScores[]): SoundScores {
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
		if (seconds.length % TURN_SECONDS === 0) await sleep(0, signal);
	}
	return musicScores(seconds).map((value) => Math.round(100 * value));
}

async function samplesOf(ctx: Ctx, plan: JobPlan, chunk: SlicedChunk): Promise<Sound> {
	const plain = chunk.format === "wav" ? await plainSound(chunk.bytes) : undefined;
	const sound = plain ?? (await plainSound(await decoded(ctx, plan, chunk)));
	if (!sound) throw new Error("The decoder gave another kind of file than it does");
	return sound;
}

/** What the decoder says of the audio is final; that it broke down may have been chance. */
async function decoded(ctx: Ctx, plan: JobPlan, chunk: SlicedChunk): Promise<Uint8Array<ArrayBuffer>> {
	for (let attempt = 1; ; attempt++) {
		try {
			return (await decodeChunk(ctx, plan, chunk)).bytes;
		} catch (error) {
			if (!(error instanceof Setback) || !error.retryable || attempt === DECODER_TRIES) throw error;
		}
	}
}

/** @returns undefined when it is no such file as `isPlain` says. */
async function plainSound(bytes: Uint8Array<ArrayBuffer>): Promise<Sound | undefined> {
	const info = await probe(bytesSource(bytes));
	const { layout, sampleRate } = info;
	if (!isPlain(info) || layout.kind !== "wav") return undefined;
	// Samples are seen in place only where they begin at an even address.
	const data = bytes.subarray(layout.start, layout.end);
	const { buffer, byteOffset, length } = data.byteOffset % 2 === 0 ? data : data.slice();
	return { samples: new Int16Array(buffer, byteOffset, length >> 1), rate: sampleRate as SampleRate };
}

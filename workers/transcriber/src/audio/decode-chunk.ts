import type { AudioCodec, AudioInfo } from "@parley/audio-files/audio-info";
import type { SlicedChunk } from "@parley/chunking/slice-chunk";
import {
	DECODED_RATE,
	type DecodeAudio,
	type DecodedAudio,
	type DecoderRpc,
} from "@parley/contracts/internal/decoder-rpc";
import type { AudioFormat, SpeechEngine } from "@parley/engines/speech/speech-engine";
import type { Ctx } from "../context.ts";
import { StepError } from "../step-error.ts";
import type { JobPlan } from "./job-plan.ts";

/** Bytes per second of the decoder's WAV files. */
export const DECODED_BYTES_PER_SECOND = 2 * DECODED_RATE;

/** Engines that take M4A mean AAC in it. */
const UNUSUAL: ReadonlySet<AudioCodec> = new Set(["alac", "ac3", "eac3"]);

/** Whether an engine takes such files as they are; others are decoded for it. */
export const takesFile = (
	{ capabilities }: SpeechEngine,
	{ format, codec }: { format: AudioFormat; codec: AudioCodec },
): boolean => capabilities.formats.includes(format) && !UNUSUAL.has(codec);

export type DecodedChunk = Omit<SlicedChunk, "bytes"> & DecodedFile;
type DecodedFile = { bytes: Uint8Array<ArrayBuffer> } & Pick<DecodedAudio, "channels" | "peak" | "peaks">;

/**
 * A chunk as a WAV file of one channel, 16 kHz: all of its channels mixed, or one of them.
 * @throws StepError
 */
export async function decodeChunk(
	ctx: Ctx,
	{ info }: JobPlan,
	chunk: SlicedChunk,
	channel?: number,
): Promise<DecodedChunk> {
	const { wav, channels, peak, peaks } = await decode(
		ctx,
		info,
		chunk,
		channel === undefined ? {} : { channel },
	);
	const filename = chunk.filename.replace(/\.\w+$/, ".wav");
	return { ...chunk, bytes: wav, format: "wav", contentType: "audio/wav", filename, channels, peak, peaks };
}

/**
 * Decodes a chunk and returns only its peaks, all channels mixed. The decoder does not send the samples and does not keep them.
 * @throws StepError
 */
export async function decodePeaks(
	ctx: Ctx,
	{ info }: JobPlan,
	chunk: SlicedChunk,
): Promise<Uint8Array<ArrayBuffer>> {
	return (await decode(ctx, info, chunk, { peaksOnly: true })).peaks;
}

async function decode(
	{ env }: Ctx,
	{ format, codec }: AudioInfo,
	{ bytes, durationSeconds }: SlicedChunk,
	options: Pick<DecodeAudio, "channel" | "peaksOnly">,
): Promise<DecodedAudio> {
	const decoder = env.DECODER as unknown as DecoderRpc;
	const answer = await decoder
		.decode({ file: bytes, maxSeconds: 1.5 * durationSeconds + 10, ...options })
		.catch((cause: unknown) => {
			const message = `The audio (${describe(format, codec)}) broke the decoder.`;
			throw new StepError("decoder_failed", message, { retryable: true, maxAttempts: 3, cause });
		});
	if (answer.ok) return answer;
	throw answer.reason === "too_long"
		? new StepError("input_broken", "The file is damaged: it contains more audio than its header declares.")
		: new StepError(
				"input_undecodable",
				`A part of the audio (${describe(format, codec)}) cannot be decoded.`,
			);
}

const describe = (format: string, codec: string): string =>
	format === codec ? format : `${format}, ${codec}`;

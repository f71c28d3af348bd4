import { SAMPLE_RATE } from "@parley/decoder/audio-decoder";
import type { Transcript, Word } from "../requests/transcript.ts";
import type { Vocabulary } from "../vocabulary/vocabulary.ts";
import { decodeUtterances } from "./decode-utterances.ts";
import type { RecogniserPool } from "./recogniser-pool.ts";
import type { Utterance } from "./utterances.ts";

export interface TranscribeContext {
	decoder: WebAssembly.Module;
	pool: RecogniserPool;
	/** Maximum time to decode or to recognise one utterance. */
	stepTimeoutMs: number;
}

/**
 * Transcribes a file. Spreads its utterances over all free recognisers and joins the words in order. Holds no more utterances than the
 * recognisers can process. Transfers the file's buffer to a thread.
 * @throws UndecodableAudio, ThreadFailure, or the reason of the signal.
 */
export async function transcribe(
	{ decoder, pool, stepTimeoutMs }: TranscribeContext,
	file: ArrayBuffer,
	vocabulary: Vocabulary,
	signal: AbortSignal,
): Promise<Transcript> {
	const failed = new AbortController();
	const stopped = AbortSignal.any([signal, failed.signal]);
	const utterances = decodeUtterances(decoder, file, { timeoutMs: stepTimeoutMs, signal: stopped });
	const pending: Promise<Word[]>[] = [];
	try {
		for (;;) {
			const next = await utterances.next();
			if (next.done) {
				const words = (await Promise.all(pending)).flat();
				return { duration: toSeconds(next.value.length), words, warnings: vocabulary.warnings };
			}
			const words = recognise(pool, next.value, vocabulary, stopped);
			// Awaited below, but possibly after another has failed.
			words.catch(() => {});
			pending.push(words);
			await pending.at(-1 - pool.size);
		}
	} finally {
		failed.abort();
		await utterances.return({ length: 0 });
	}
}

async function recognise(
	pool: RecogniserPool,
	{ offset, samples }: Utterance,
	vocabulary: Vocabulary,
	signal: AbortSignal,
): Promise<Word[]> {
	const words = await pool.recognise(samples, vocabulary, signal);
	return words.map(({ word, start, end, probability }) => ({
		word: vocabulary.display.get(word) ?? word,
		start: toSeconds(offset + start * SAMPLE_RATE),
		end: toSeconds(offset + end * SAMPLE_RATE),
		probability,
	}));
}

/** Converts samples to seconds, rounded to the millisecond. */
function toSeconds(samples: number): number {
	return Math.round((samples * 1000) / SAMPLE_RATE) / 1000;
}

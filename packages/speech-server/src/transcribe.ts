import { SAMPLE_RATE } from "@parley/decoder/audio-decoder";
import { decodeUtterances } from "./decode-utterances.ts";
import type { RecogniserPool } from "./recogniser-pool.ts";
import type { Transcript, Word } from "./transcript.ts";
import type { Utterance } from "./utterances.ts";
import type { Vocabulary } from "./vocabulary.ts";

export interface TranscribeContext {
	decoder: WebAssembly.Module;
	pool: RecogniserPool;
	/** How long one utterance may take to decode or to recognise. */
	stepTimeoutMs: number;
}

/**
 * The words of a file. Its utterances go to every recogniser that is free, and are joined in order; no more of them are
 * held than can be worked on. The file's buffer is handed over. Throws `UndecodableAudio`, `ThreadFailure` or the
 * reason of the signal.
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
	const heard: Promise<Word[]>[] = [];
	try {
		for (;;) {
			const next = await utterances.next();
			if (next.done) {
				const words = (await Promise.all(heard)).flat();
				return { duration: toSeconds(next.value.length), words, warnings: vocabulary.warnings };
			}
			const words = listen(pool, next.value, vocabulary, stopped);
			// Awaited below, but maybe after another has failed.
			words.catch(() => {});
			heard.push(words);
			await heard.at(-1 - pool.size);
		}
	} finally {
		failed.abort();
		await utterances.return({ length: 0 });
	}
}

async function listen(
	pool: RecogniserPool,
	{ offset, samples }: Utterance,
	vocabulary: Vocabulary,
	signal: AbortSignal,
): Promise<Word[]> {
	const heard = await pool.listen(samples, vocabulary, signal);
	return heard.map(({ word, start, end, probability }) => ({
		word: vocabulary.display.get(word) ?? word,
		start: toSeconds(offset + start * SAMPLE_RATE),
		end: toSeconds(offset + end * SAMPLE_RATE),
		probability,
	}));
}

/** To the millisecond. */
function toSeconds(samples: number): number {
	return Math.round((samples * 1000) / SAMPLE_RATE) / 1000;
}

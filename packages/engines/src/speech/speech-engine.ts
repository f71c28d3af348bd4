/** Audio formats, named as in `@parley/audio-files/audio-info`. */
export type AudioFormat = "wav" | "mp3" | "flac" | "aac" | "ogg" | "m4a" | "mp4" | "webm" | "amr" | "mpeg";

/** A valid audio file. Engines judge it by the extension of its name, which must match the bytes. */
export type AudioChunk = {
	bytes: Uint8Array | ReadableStream<Uint8Array>;
	filename: string;
	contentType: string;
	durationSeconds?: number;
};

export type VocabularyEntry = { content: string; sounds_like?: string[] };

export type TranscribeHints = {
	/** BCP 47 tag. Absent or `auto` makes the engine detect the language. */
	language?: string;
	additionalVocab?: readonly VocabularyEntry[];
	/** Preceding text, or a description of the subject. */
	prompt?: string;
	diarization?: "none" | "speaker" | "channel";
	operatingPoint?: "enhanced" | "standard";
	domain?: string;
	signal?: AbortSignal;
};

/** A recognised word. Times are seconds from the chunk's start; punctuation is attached to `word`. */
export type RecognisedWord = {
	word: string;
	start: number;
	end: number;
	/** Confidence from 0 to 1. Null if the engine returns none. */
	confidence: number | null;
	/** Speaker label, valid within this chunk only. */
	speaker?: string;
	/** Zero-based index of the audio channel. */
	channel?: number;
};

export type RecognisedSegment = {
	start: number;
	end: number;
	text: string;
	speaker?: string;
	channel?: number;
};

export type Recognition = {
	/** ISO 639 code. Null if the engine does not return it. */
	language: string | null;
	durationSeconds: number | null;
	text: string;
	segments: RecognisedSegment[];
	words: RecognisedWord[];
	/** True if the engine returned no word times, so that they were spread over its segments. */
	wordTimesEstimated: boolean;
	/** Sentences that the caller should know. */
	warnings: string[];
};

/** Capabilities of an engine. A capability that it lacks is absent, never false. */
export type SpeechCapabilities = {
	formats: readonly AudioFormat[];
	/** Maximum file size. */
	maxBytes: number;
	/** ISO 639 codes. */
	languages: readonly string[] | "any";
	languageDetection?: true;
	wordTimes?: true;
	wordConfidence?: true;
	punctuation?: true;
	diarization?: { speaker?: true; channel?: true };
	customVocabulary?: {
		maxEntries?: number;
		/** Maximum characters of all entries together, if they are part of a prompt. */
		maxCharacters?: number;
		soundsLike?: true;
	};
	entities?: true;
	/** Values of `domain` besides `general`. */
	domains?: readonly string[];
	/** Locales whose spelling the engine can write. */
	outputLocales?: readonly string[];
};

export type SpeechEngine = {
	/** The engine's `model_code`. */
	code: string;
	capabilities: SpeechCapabilities;
	/** Recognises one chunk. @throws EngineError for every failure of the engine, or the reason of an aborted `signal`. */
	transcribe(chunk: AudioChunk, hints: TranscribeHints): Promise<Recognition>;
};

/** Reads all bytes of a chunk. */
export async function readBytes(chunk: AudioChunk): Promise<Uint8Array<ArrayBuffer>> {
	if (chunk.bytes instanceof Uint8Array) return new Uint8Array(chunk.bytes);
	return new Uint8Array(
		await new Response(chunk.bytes as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer(),
	);
}

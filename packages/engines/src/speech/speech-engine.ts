/** Audio containers that Parley tells apart, as `@parley/audio-files/probe` names them. */
export type AudioFormat = "wav" | "mp3" | "flac" | "aac" | "ogg" | "m4a" | "mp4" | "webm" | "amr" | "mpeg";

/** One valid audio file. Engines judge by the file name's extension, so it has to fit the bytes. */
export type AudioChunk = {
	bytes: Uint8Array | ReadableStream<Uint8Array>;
	filename: string;
	contentType: string;
	durationSeconds?: number;
};

export type VocabularyEntry = { content: string; sounds_like?: string[] };

export type TranscribeHints = {
	/** BCP 47 tag; absent or `auto` asks the engine to detect it. */
	language?: string;
	additionalVocab?: readonly VocabularyEntry[];
	/** Text that came before, or a description of what is talked about. */
	prompt?: string;
	diarization?: "none" | "speaker" | "channel";
	operatingPoint?: "enhanced" | "standard";
	domain?: string;
	signal?: AbortSignal;
};

/** Seconds from the chunk's start; punctuation is attached to `word`. */
export type RecognisedWord = {
	word: string;
	start: number;
	end: number;
	/** 0 to 1, or null when the engine gives none. */
	confidence: number | null;
	/** Label that holds within this chunk only. */
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
	/** ISO 639 code, or null when the engine does not say. */
	language: string | null;
	durationSeconds: number | null;
	text: string;
	segments: RecognisedSegment[];
	words: RecognisedWord[];
	/** True when the engine gave no word times and they were spread over its segments. */
	wordTimesEstimated: boolean;
	/** What the caller should know about this answer, as sentences. */
	warnings: string[];
};

/** What an engine can do. What it cannot do is absent, never false. */
export type SpeechCapabilities = {
	formats: readonly AudioFormat[];
	/** Largest file it takes. */
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
		/** Room for all entries together, where they travel in a prompt. */
		maxCharacters?: number;
		soundsLike?: true;
	};
	entities?: true;
	/** Values of `domain` beyond `general`. */
	domains?: readonly string[];
	/** Locales whose spelling it writes. */
	outputLocales?: readonly string[];
};

export type SpeechEngine = {
	/** The `model_code` it answers to. */
	code: string;
	capabilities: SpeechCapabilities;
	/** Recognises one chunk. Whatever the engine does wrong is thrown as EngineError; an aborted `signal` throws its reason. */
	transcribe(chunk: AudioChunk, hints: TranscribeHints): Promise<Recognition>;
};

/** All bytes of a chunk. */
export async function chunkBytes(chunk: AudioChunk): Promise<Uint8Array<ArrayBuffer>> {
	if (chunk.bytes instanceof Uint8Array) return new Uint8Array(chunk.bytes);
	return new Uint8Array(
		await new Response(chunk.bytes as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer(),
	);
}

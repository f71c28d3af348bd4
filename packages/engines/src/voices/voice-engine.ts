export const VOICE_FORMATS = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
export type VoiceFormat = (typeof VOICE_FORMATS)[number];

/** Content type of each format. PCM is 24 kHz, 16 bits, mono, as in OpenAI's API. */
export const VOICE_CONTENT_TYPES = {
	mp3: "audio/mpeg",
	opus: "audio/ogg",
	aac: "audio/aac",
	flac: "audio/flac",
	wav: "audio/wav",
	pcm: "audio/pcm",
} as const satisfies Record<VoiceFormat, string>;

export type SynthesisRequest = {
	text: string;
	/** Voice to use. Defaults to the engine's own. */
	voice?: string | undefined;
	format: VoiceFormat;
	/** Speed factor. 1 is the voice's own pace. */
	speed?: number | undefined;
	/** Description of how to speak. */
	instructions?: string | undefined;
	signal?: AbortSignal | undefined;
};

export type SynthesisedSpeech = { body: ReadableStream<Uint8Array>; contentType: string };

/** Capabilities of an engine. A capability that it lacks is absent, never false. */
export type VoiceCapabilities = {
	formats: readonly VoiceFormat[];
	/** Names of the voices. The first is the default. */
	voices: readonly string[] | "any";
	/** ISO 639 codes. */
	languages: readonly string[] | "any";
	maxCharacters: number;
	speed?: true;
	instructions?: true;
};

export type VoiceEngine = {
	/** The engine's `model_code`. */
	code: string;
	capabilities: VoiceCapabilities;
	/** Speaks a text. @throws EngineError for every failure of the engine before the first byte. */
	synthesise(request: SynthesisRequest): Promise<SynthesisedSpeech>;
};

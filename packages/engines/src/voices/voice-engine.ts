export const VOICE_FORMATS = ["mp3", "opus", "aac", "flac", "wav", "pcm"] as const;
export type VoiceFormat = (typeof VOICE_FORMATS)[number];

/** PCM is 24 kHz, 16 bits, mono, as OpenAI has it. */
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
	/** The engine's default when absent. */
	voice?: string | undefined;
	format: VoiceFormat;
	/** 1 is the voice's own pace. */
	speed?: number | undefined;
	/** How to speak, in words. */
	instructions?: string | undefined;
	signal?: AbortSignal | undefined;
};

export type SynthesisedSpeech = { body: ReadableStream<Uint8Array>; contentType: string };

/** What an engine can do. What it cannot do is absent, never false. */
export type VoiceCapabilities = {
	formats: readonly VoiceFormat[];
	/** The first is the default. */
	voices: readonly string[] | "any";
	/** ISO 639 codes. */
	languages: readonly string[] | "any";
	maxCharacters: number;
	speed?: true;
	instructions?: true;
};

export type VoiceEngine = {
	/** The `model_code` it answers to. */
	code: string;
	capabilities: VoiceCapabilities;
	/** Speaks the text. Whatever the engine does wrong before its first byte is thrown as EngineError. */
	synthesise(request: SynthesisRequest): Promise<SynthesisedSpeech>;
};

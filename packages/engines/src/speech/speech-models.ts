import { WHISPER_LANGUAGES } from "../languages.ts";
import type { AudioFormat, SpeechCapabilities } from "./speech-engine.ts";

export type Pricing = { unit: "audio_second"; min_price: number };

/** Facts about a model. Prices are list prices in USD. */
export type ModelFacts = {
	name: string;
	/** Host for which the price and the provider hold. On another host, somebody else runs the model. */
	host?: string;
	provider: { code: string; name: string };
	capabilities: SpeechCapabilities;
	/** True if the model recognises a live stream. */
	streaming: boolean;
	pricing: Pricing | null;
};

const MB = 1_000_000;
const MIB = 1024 * 1024;
const OPENAI_FORMATS: readonly AudioFormat[] = ["wav", "mp3", "flac", "ogg", "m4a", "mp4", "webm", "mpeg"];
const EVERY_FORMAT: readonly AudioFormat[] = [...OPENAI_FORMATS, "aac", "amr"];
const WHISPER = Object.keys(WHISPER_LANGUAGES);
const PROMPT_VOCABULARY = { maxCharacters: 600 };
const perMinute = (usd: number): Pricing => ({ unit: "audio_second", min_price: usd / 60 });
const perHour = (usd: number): Pricing => ({ unit: "audio_second", min_price: usd / 3600 });

const openai = { code: "openai", name: "OpenAI" };
const groq = { code: "groq", name: "Groq" };
const cloudflare = { code: "cloudflare", name: "Cloudflare Workers AI" };

const whisper = (formats: readonly AudioFormat[], maxBytes: number): SpeechCapabilities => ({
	formats,
	maxBytes,
	languages: WHISPER,
	languageDetection: true,
	wordTimes: true,
	punctuation: true,
	customVocabulary: PROMPT_VOCABULARY,
});

const textOnly: SpeechCapabilities = {
	formats: OPENAI_FORMATS,
	maxBytes: 25 * MB,
	languages: WHISPER,
	languageDetection: true,
	punctuation: true,
	customVocabulary: PROMPT_VOCABULARY,
};

const NOVA_3 = [
	"af",
	"ar",
	"be",
	"bg",
	"bn",
	"bs",
	"ca",
	"cs",
	"da",
	"de",
	"el",
	"en",
	"es",
	"et",
	"fa",
	"fi",
	"fr",
	"gl",
	"gu",
	"he",
	"hi",
	"hr",
	"hu",
	"id",
	"it",
	"ja",
	"kn",
	"ko",
	"lt",
	"lv",
	"mk",
	"mr",
	"ms",
	"nl",
	"no",
	"pl",
	"pt",
	"ro",
	"ru",
	"sk",
	"sl",
	"sr",
	"sv",
	"ta",
	"te",
	"th",
	"tl",
	"tr",
	"uk",
	"vi",
	"zh",
];

/** Known models by the name that their server uses. */
export const KNOWN_MODELS: Readonly<Record<string, ModelFacts>> = {
	"pocketsphinx-en-us": {
		name: "PocketSphinx US English",
		provider: { code: "parley", name: "Parley" },
		capabilities: {
			formats: EVERY_FORMAT,
			maxBytes: 64 * MIB,
			languages: ["en"],
			wordTimes: true,
			wordConfidence: true,
			customVocabulary: { maxEntries: 1000, soundsLike: true },
			outputLocales: ["en-US"],
		},
		streaming: false,
		pricing: { unit: "audio_second", min_price: 0 },
	},
	"whisper-1": {
		name: "Whisper",
		host: "api.openai.com",
		provider: openai,
		capabilities: whisper(OPENAI_FORMATS, 25 * MB),
		streaming: false,
		pricing: perMinute(0.006),
	},
	"gpt-4o-transcribe": {
		name: "GPT-4o Transcribe",
		host: "api.openai.com",
		provider: openai,
		capabilities: textOnly,
		streaming: false,
		pricing: perMinute(0.006),
	},
	"gpt-4o-mini-transcribe": {
		name: "GPT-4o mini Transcribe",
		host: "api.openai.com",
		provider: openai,
		capabilities: textOnly,
		streaming: false,
		pricing: perMinute(0.003),
	},
	"gpt-4o-transcribe-diarize": {
		name: "GPT-4o Transcribe Diarize",
		host: "api.openai.com",
		provider: openai,
		capabilities: {
			formats: OPENAI_FORMATS,
			maxBytes: 25 * MB,
			languages: WHISPER,
			languageDetection: true,
			punctuation: true,
			diarization: { speaker: true },
		},
		streaming: false,
		pricing: perMinute(0.006),
	},
	"whisper-large-v3": {
		name: "Whisper large v3",
		host: "api.groq.com",
		provider: groq,
		capabilities: whisper(OPENAI_FORMATS, 25 * MB),
		streaming: false,
		pricing: perHour(0.111),
	},
	"whisper-large-v3-turbo": {
		name: "Whisper large v3 turbo",
		host: "api.groq.com",
		provider: groq,
		capabilities: whisper(OPENAI_FORMATS, 25 * MB),
		streaming: false,
		pricing: perHour(0.04),
	},
	"@cf/openai/whisper-large-v3-turbo": {
		name: "Whisper large v3 turbo",
		provider: cloudflare,
		capabilities: whisper(OPENAI_FORMATS, 20 * MIB),
		streaming: false,
		pricing: perMinute(0.00051),
	},
	"@cf/deepgram/nova-3": {
		name: "Deepgram Nova-3",
		provider: cloudflare,
		capabilities: {
			formats: EVERY_FORMAT,
			maxBytes: 64 * MIB,
			languages: NOVA_3,
			languageDetection: true,
			wordTimes: true,
			wordConfidence: true,
			punctuation: true,
			diarization: { speaker: true, channel: true },
			domains: ["medical", "finance"],
		},
		streaming: true,
		pricing: perMinute(0.0052),
	},
};

/** Capabilities of a model that is not known: those that every Whisper server has. */
export const UNKNOWN_MODEL: SpeechCapabilities = {
	...whisper(OPENAI_FORMATS, 25 * MB),
	languages: "any",
};

/** Lists the names of an engine's capabilities for the catalog. */
export function capabilityNames(can: SpeechCapabilities): string[] {
	const names: Record<string, unknown> = {
		word_times: can.wordTimes,
		word_confidence: can.wordConfidence,
		punctuation: can.punctuation,
		language_detection: can.languageDetection,
		speaker_diarization: can.diarization?.speaker,
		channel_diarization: can.diarization?.channel,
		custom_vocabulary: can.customVocabulary,
		pronunciations: can.customVocabulary?.soundsLike,
		entities: can.entities,
	};
	return Object.keys(names).filter((name) => names[name]);
}

import { baseLanguage } from "../languages.ts";
import type { SpeechCapabilities, VocabularyEntry } from "./speech-engine.ts";

/** Part of `transcription_config` that an engine must support. */
export type RequestedFeatures = {
	language?: string | undefined;
	diarization?: string | undefined;
	channel_diarization_labels?: readonly string[] | undefined;
	domain?: string | undefined;
	output_locale?: string | undefined;
	enable_entities?: boolean | undefined;
	additional_vocab?: readonly VocabularyEntry[] | undefined;
	punctuation_overrides?: { permitted_marks?: readonly string[]; sensitivity?: number } | undefined;
};

export type UnsupportedFeature = { field: string; message: string };

/**
 * Returns the requested features that an engine does not support, one entry per field (a dotted path from the body root). Submission rejects a
 * job with any entry. Channel diarization needs no support, because Parley splits the channels itself.
 */
export function unsupportedFeatures(
	engine: { code: string; capabilities: SpeechCapabilities },
	requested: RequestedFeatures,
): UnsupportedFeature[] {
	const found: UnsupportedFeature[] = [];
	const reject = (field: string, message: string) =>
		found.push({ field: `transcription_config.${field}`, message: `${engine.code} ${message}` });
	const can = engine.capabilities;

	const language = requested.language ?? "auto";
	if (language === "auto") {
		if (requested.language && !can.languageDetection)
			reject("language", "does not detect the language. Name the language.");
	} else if (can.languages !== "any" && !can.languages.includes(baseLanguage(language))) {
		const supported = can.languages.length <= 8 ? ` (supported: ${can.languages.join(", ")})` : "";
		reject("language", `does not support the language ${language}${supported}`);
	}
	if (requested.diarization === "speaker" && !can.diarization?.speaker) {
		reject("diarization", "does not support speaker diarization");
	}
	if (requested.channel_diarization_labels?.length && requested.diarization !== "channel") {
		reject("channel_diarization_labels", 'labels channels only if `diarization` is "channel"');
	}
	if (requested.domain && requested.domain !== "general" && !can.domains?.includes(requested.domain)) {
		reject("domain", `does not support the domain ${requested.domain}`);
	}
	if (requested.output_locale && !can.outputLocales?.includes(requested.output_locale)) {
		reject("output_locale", `does not support the output locale ${requested.output_locale}`);
	}
	if (requested.enable_entities && !can.entities)
		reject("enable_entities", "does not support entity recognition");
	if (requested.punctuation_overrides) {
		if (!can.punctuation) reject("punctuation_overrides", "does not write punctuation");
		else if (requested.punctuation_overrides.sensitivity !== undefined) {
			reject("punctuation_overrides.sensitivity", "does not support a punctuation sensitivity");
		}
	}
	const vocabulary = requested.additional_vocab ?? [];
	if (vocabulary.length > 0) {
		const limits = can.customVocabulary;
		const characters = vocabulary.reduce((sum, entry) => sum + entry.content.length + 2, 0);
		if (!limits) reject("additional_vocab", "does not support additional vocabulary");
		else if (limits.maxEntries !== undefined && vocabulary.length > limits.maxEntries) {
			reject("additional_vocab", `accepts at most ${limits.maxEntries} entries`);
		} else if (limits.maxCharacters !== undefined && characters > limits.maxCharacters) {
			reject("additional_vocab", `accepts at most ${limits.maxCharacters} characters of vocabulary in total`);
		}
	}
	return found;
}

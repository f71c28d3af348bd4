import { baseLanguage } from "../languages.ts";
import type { SpeechCapabilities, VocabularyEntry } from "./speech-engine.ts";

/** The part of `transcription_config` that asks something of an engine. */
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
 * What the engine lacks of what is asked, one entry a field (dotted from the body root), empty when it can do it all.
 * Submission refuses on any entry: nothing that was asked for is dropped silently. Channels are no matter of the engine: they
 * are split for one that cannot tell them apart.
 */
export function unsupportedFeatures(
	engine: { code: string; capabilities: SpeechCapabilities },
	requested: RequestedFeatures,
): UnsupportedFeature[] {
	const found: UnsupportedFeature[] = [];
	const refuse = (field: string, message: string) =>
		found.push({ field: `transcription_config.${field}`, message: `${engine.code} ${message}` });
	const can = engine.capabilities;

	const language = requested.language ?? "auto";
	if (language === "auto") {
		if (requested.language && !can.languageDetection)
			refuse("language", "does not detect the language: name it");
	} else if (can.languages !== "any" && !can.languages.includes(baseLanguage(language))) {
		const known = can.languages.length <= 8 ? ` (it knows ${can.languages.join(", ")})` : "";
		refuse("language", `does not know the language ${language}${known}`);
	}
	if (requested.diarization === "speaker" && !can.diarization?.speaker) {
		refuse("diarization", "does not tell speakers apart");
	}
	if (requested.channel_diarization_labels?.length && requested.diarization !== "channel") {
		refuse("channel_diarization_labels", 'labels channels only with diarization "channel"');
	}
	if (requested.domain && requested.domain !== "general" && !can.domains?.includes(requested.domain)) {
		refuse("domain", `has no domain ${requested.domain}`);
	}
	if (requested.output_locale && !can.outputLocales?.includes(requested.output_locale)) {
		refuse("output_locale", `does not write in the locale ${requested.output_locale}`);
	}
	if (requested.enable_entities && !can.entities) refuse("enable_entities", "does not recognise entities");
	if (requested.punctuation_overrides) {
		if (!can.punctuation) refuse("punctuation_overrides", "writes no punctuation");
		else if (requested.punctuation_overrides.sensitivity !== undefined) {
			refuse("punctuation_overrides.sensitivity", "cannot be told how much to punctuate");
		}
	}
	const vocabulary = requested.additional_vocab ?? [];
	if (vocabulary.length > 0) {
		const room = can.customVocabulary;
		const characters = vocabulary.reduce((sum, entry) => sum + entry.content.length + 2, 0);
		if (!room) refuse("additional_vocab", "takes no vocabulary");
		else if (room.maxEntries !== undefined && vocabulary.length > room.maxEntries) {
			refuse("additional_vocab", `takes at most ${room.maxEntries} entries`);
		} else if (room.maxCharacters !== undefined && characters > room.maxCharacters) {
			refuse("additional_vocab", `takes vocabulary of at most ${room.maxCharacters} characters in total`);
		}
	}
	return found;
}

import { LANGUAGE_FEATURES, type LanguageCapabilities } from "./language-engine.ts";
import type { LanguageEngineSettings } from "./language-settings.ts";

const CLASSICAL: LanguageCapabilities = {
	languages: ["en"],
	// An extract informs about the content, but does not describe how a conversation went.
	summarization: { contentTypes: ["auto", "informative"], method: "textrank" },
	sentiment_analysis: { method: "afinn-165" },
	topic_detection: { method: "keywords" },
	auto_chapters: { method: "texttiling" },
	// Laughter and applause need a model.
	audio_events: { types: ["music"], method: "continuous-frequency-activation" },
};

/** Returns the capabilities of an engine by its settings. */
export function capabilitiesOf(settings: LanguageEngineSettings): LanguageCapabilities {
	const can: LanguageCapabilities =
		settings.vendor === "classical" ? { ...CLASSICAL } : promptedCapabilities(settings);
	for (const feature of LANGUAGE_FEATURES)
		if (settings.features && !settings.features.includes(feature)) delete can[feature];
	return can;
}

const promptedCapabilities = ({
	languages,
	target_languages,
}: Exclude<LanguageEngineSettings, { vendor: "classical" }>): LanguageCapabilities => ({
	languages,
	translation: { targets: target_languages },
	summarization: { contentTypes: ["auto", "informative", "conversational"] },
	sentiment_analysis: {},
	topic_detection: {},
	auto_chapters: {},
});

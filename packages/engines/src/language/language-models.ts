import { capabilitiesOf } from "./capabilities.ts";
import { LANGUAGE_FEATURES, type LanguageCapabilities } from "./language-engine.ts";
import { type LanguageEngineSettings, parseLanguageSettings } from "./language-settings.ts";

/** A language engine as the catalog describes it. */
export type LanguageModelInfo = {
	code: string;
	name: string;
	service_type: "audio_intelligence";
	provider: { code: string; name: string };
	/** Features, and `feature.option` if an engine offers only some options of a feature. */
	capabilities: string[];
	languages: string[];
	pricing: null;
};

/** Lists the language engines that the text of `LANGUAGE_ENGINES` names, each code once. @throws EngineSettingsError */
export function listLanguageModels(text: string | undefined): LanguageModelInfo[] {
	const models = new Map<string, LanguageModelInfo>();
	for (const settings of parseLanguageSettings(text)) {
		const model = toModel(settings);
		const other = models.get(model.code);
		models.set(model.code, other ? union(other, model) : model);
	}
	return [...models.values()];
}

function toModel(settings: LanguageEngineSettings): LanguageModelInfo {
	const can = capabilitiesOf(settings);
	const { code, name, provider } = identityOf(settings);
	return {
		code,
		name,
		service_type: "audio_intelligence",
		provider,
		capabilities: LANGUAGE_FEATURES.flatMap((feature) =>
			can[feature] ? [feature, ...optionsOf(can, feature).map((option) => `${feature}.${option}`)] : [],
		),
		languages: can.languages === "any" ? ["any"] : [...can.languages],
		pricing: null,
	};
}

function identityOf(settings: LanguageEngineSettings) {
	if (settings.vendor === "classical") {
		const provider = { code: "parley", name: "Parley" };
		return { code: settings.code ?? "parley/classical", name: "Classical text and audio analysis", provider };
	}
	const code = settings.code ?? settings.model;
	const [prefix = code] = code.split("/", 1);
	const provider =
		settings.vendor === "workers-ai"
			? { code: "cloudflare", name: "Cloudflare Workers AI" }
			: { code: prefix, name: prefix };
	return { code, name: settings.model, provider };
}

function optionsOf(
	can: LanguageCapabilities,
	feature: (typeof LANGUAGE_FEATURES)[number],
): readonly string[] {
	switch (feature) {
		case "translation":
			return can.translation && can.translation.targets !== "any" ? can.translation.targets : [];
		case "summarization":
			return can.summarization?.contentTypes ?? [];
		case "audio_events":
			return can.audio_events?.types ?? [];
		default:
			return [];
	}
}

const union = (one: LanguageModelInfo, other: LanguageModelInfo): LanguageModelInfo => ({
	...one,
	capabilities: [...new Set([...one.capabilities, ...other.capabilities])],
	languages: [...new Set([...one.languages, ...other.languages])],
});

import type { AudioEventType, JobConfig } from "@parley/contracts/batch/job-configs";
import { baseLanguage } from "../languages.ts";
import type { LanguageCapabilities, LanguageFeature, SummaryOptions } from "./language-engine.ts";

/** One extra to make from a transcript's text. `field` is its dotted path in the request body. Without `topics` the engine finds its own. */
export type TextExtra =
	| { feature: "translation"; target: string; field: string }
	| { feature: "summarization"; options: SummaryOptions; field: string }
	| { feature: "topic_detection"; topics: readonly string[]; field: string }
	| { feature: "sentiment_analysis" | "auto_chapters"; field: string };

/** One extra to make from the audio. Each requested type is an extra of its own; without `types`, one extra covers all that an engine offers. */
export type AudioExtra = { feature: "audio_events"; types: readonly AudioEventType[]; field: string };

export type Extra = TextExtra | AudioExtra;

/** Reason why an extra cannot be made. `field` is the part of the configuration that is not supported. */
export type ExtraRefusal = { code: "not_offered" | "unsupported_language"; field: string; message: string };

export type ExtrasConfig = Pick<JobConfig, `${LanguageFeature}_config`>;

/** Lists the extras that a job's configuration asks for, in a fixed order. Each target language and each type of event is an extra of its own. */
export function extrasOf(config: ExtrasConfig): Extra[] {
	const extras: Extra[] = (config.translation_config?.target_languages ?? []).map((target, index) => ({
		feature: "translation",
		target,
		field: `translation_config.target_languages.${index}`,
	}));
	if (config.summarization_config)
		extras.push({
			feature: "summarization",
			options: config.summarization_config,
			field: "summarization_config",
		});
	if (config.sentiment_analysis_config)
		extras.push({ feature: "sentiment_analysis", field: "sentiment_analysis_config" });
	if (config.topic_detection_config) {
		const topics = [...new Set(config.topic_detection_config.topics)];
		extras.push({ feature: "topic_detection", topics, field: "topic_detection_config" });
	}
	if (config.auto_chapters_config) extras.push({ feature: "auto_chapters", field: "auto_chapters_config" });
	if (config.audio_events_config) {
		const types = [...new Set(config.audio_events_config.types)];
		const field = "audio_events_config";
		if (types.length === 0) extras.push({ feature: "audio_events", types, field });
		for (const type of types)
			extras.push({ feature: "audio_events", types: [type], field: `${field}.types` });
	}
	return extras;
}

/** Explains why no engine can make the extra from a transcript in this language. Returns undefined if one can. */
export function whyNoEngine(
	engines: readonly { capabilities: LanguageCapabilities }[],
	extra: Extra,
	language: string,
): ExtraRefusal | undefined {
	const refusals = engines.map(({ capabilities }) => whyNot(capabilities, extra, language));
	if (refusals.includes(undefined)) return undefined;
	// The most specific refusal comes from the engine that is nearest to the request.
	return refusals.reduce<ExtraRefusal>(
		(nearest, refusal) => (refusal && isMoreSpecific(refusal, nearest) ? refusal : nearest),
		{ code: "not_offered", field: `${extra.feature}_config`, message: NOT_OFFERED },
	);
}

const NOT_OFFERED = "No engine of this deployment offers this feature.";

const isMoreSpecific = (one: ExtraRefusal, other: ExtraRefusal): boolean =>
	one.field.length > other.field.length ||
	(one.field.length === other.field.length && other.message === NOT_OFFERED);

/** Explains why one engine cannot make the extra. Returns undefined if it can. */
export function whyNot(can: LanguageCapabilities, extra: Extra, language: string): ExtraRefusal | undefined {
	const refuse = (field: string, message: string): ExtraRefusal => ({ code: "not_offered", field, message });
	const refuseLanguage = (message: string): ExtraRefusal => ({
		code: "unsupported_language",
		field: extra.field,
		message,
	});
	if (!can[extra.feature]) return refuse(`${extra.feature}_config`, NOT_OFFERED);
	if (extra.feature === "audio_events") {
		const offered = can.audio_events?.types ?? [];
		const missing = extra.types.find((type) => !offered.includes(type));
		if (missing === undefined) return undefined;
		return refuse(
			extra.field,
			`No engine of this deployment detects ${missing}. Available: ${offered.join(", ")}.`,
		);
	}
	if (language !== "auto" && can.languages !== "any" && !can.languages.includes(baseLanguage(language)))
		return refuseLanguage(
			`This feature does not support the language ${language}. Supported: ${can.languages.join(", ")}.`,
		);
	if (extra.feature === "translation") {
		const { targets } = can.translation ?? { targets: [] };
		const known =
			targets === "any"
				? languageName(extra.target) !== undefined
				: targets.includes(extra.target) || targets.includes(baseLanguage(extra.target));
		if (!known) return refuse(extra.field, `No engine of this deployment translates to ${extra.target}.`);
		if (extra.target === language) return refuseLanguage(`The audio is already in ${language}.`);
	}
	if (extra.feature === "summarization") {
		const { content_type } = extra.options;
		if (!can.summarization?.contentTypes.includes(content_type))
			return refuse(
				`${extra.field}.content_type`,
				`No engine of this deployment supports the content type ${content_type}.`,
			);
	}
	return undefined;
}

const NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** Returns the English name of a language tag, or undefined if there is no such language. */
export function languageName(tag: string): string | undefined {
	try {
		return NAMES.of(tag);
	} catch {
		return undefined;
	}
}

import type { AudioEventType, JobConfig } from "@parley/contracts/job-configs";
import { baseLanguage } from "../languages.ts";
import type { LanguageCapabilities, LanguageFeature, SummaryWishes } from "./language-engine.ts";

/**
 * One thing to be made of a transcript's text; `field` is where it was asked for, dotted from the body root. Without `topics`
 * an engine finds its own.
 */
export type TextExtra =
	| { feature: "translation"; target: string; field: string }
	| { feature: "summarization"; wishes: SummaryWishes; field: string }
	| { feature: "topic_detection"; topics: readonly string[]; field: string }
	| { feature: "sentiment_analysis" | "auto_chapters"; field: string };

/** Made of the sound itself; without `types` it is all that an engine offers. Each type that is asked for is one extra. */
export type SoundExtra = { feature: "audio_events"; types: readonly AudioEventType[]; field: string };

export type Extra = TextExtra | SoundExtra;

/** Why an extra cannot be made; `field` is the part of the configuration that asks for too much. */
export type ExtraRefusal = { code: "not_offered" | "unsupported_language"; field: string; message: string };

export type ExtrasConfig = Pick<JobConfig, `${LanguageFeature}_config`>;

/** Everything that a job's configuration asks of language engines, in a fixed order; each target language and each type of event is one. */
export function extrasOf(config: ExtrasConfig): Extra[] {
	const extras: Extra[] = (config.translation_config?.target_languages ?? []).map((target, index) => ({
		feature: "translation",
		target,
		field: `translation_config.target_languages.${index}`,
	}));
	if (config.summarization_config)
		extras.push({
			feature: "summarization",
			wishes: config.summarization_config,
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

/** Why none of the engines can make the extra out of a transcript in this language; undefined when one can. */
export function whyNoEngine(
	engines: readonly { capabilities: LanguageCapabilities }[],
	extra: Extra,
	language: string,
): ExtraRefusal | undefined {
	const refusals = engines.map(({ capabilities }) => whyNot(capabilities, extra, language));
	if (refusals.includes(undefined)) return undefined;
	// The refusal that says most comes from the engine that is nearest to what was asked.
	return refusals.reduce<ExtraRefusal>(
		(nearest, refusal) => (refusal && saysMore(refusal, nearest) ? refusal : nearest),
		{ code: "not_offered", field: `${extra.feature}_config`, message: NOT_OFFERED },
	);
}

const NOT_OFFERED = "No engine of this deployment offers it.";

const saysMore = (one: ExtraRefusal, other: ExtraRefusal): boolean =>
	one.field.length > other.field.length ||
	(one.field.length === other.field.length && other.message === NOT_OFFERED);

/** Why one engine cannot; undefined when it can. */
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
		const lacking = extra.types.find((type) => !offered.includes(type));
		if (lacking === undefined) return undefined;
		return refuse(
			extra.field,
			`No engine of this deployment detects ${lacking}, only ${offered.join(", ")}.`,
		);
	}
	if (language !== "auto" && can.languages !== "any" && !can.languages.includes(baseLanguage(language)))
		return refuseLanguage(`Not offered for the language ${language}, only for ${can.languages.join(", ")}.`);
	if (extra.feature === "translation") {
		const { targets } = can.translation ?? { targets: [] };
		const known =
			targets === "any"
				? languageName(extra.target) !== undefined
				: targets.includes(extra.target) || targets.includes(baseLanguage(extra.target));
		if (!known) return refuse(extra.field, `No engine of this deployment translates to ${extra.target}.`);
		if (extra.target === language) return refuseLanguage(`The audio is in ${language} already.`);
	}
	if (extra.feature === "summarization") {
		const { content_type } = extra.wishes;
		if (!can.summarization?.contentTypes.includes(content_type))
			return refuse(
				`${extra.field}.content_type`,
				`No engine of this deployment summarises as ${content_type}.`,
			);
	}
	return undefined;
}

const NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** English name of a language tag; undefined when there is no such language. */
export function languageName(tag: string): string | undefined {
	try {
		return NAMES.of(tag);
	} catch {
		return undefined;
	}
}

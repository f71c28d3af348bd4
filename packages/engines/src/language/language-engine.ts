import type { AudioEventType, EXTRA_CONFIGS } from "@parley/contracts/batch/job-configs";
import type { z } from "zod";
import type { AudioEvent, ScoredChunk } from "../audio-events/music-events.ts";

/** Features that are made from a transcript's text or audio, named as in its `<feature>_errors`. */
export const LANGUAGE_FEATURES = [
	"translation",
	"summarization",
	"sentiment_analysis",
	"topic_detection",
	"auto_chapters",
	"audio_events",
] as const;
export type LanguageFeature = (typeof LANGUAGE_FEATURES)[number];

/** A sentence of the transcript, or the nearest thing to one. Times are seconds from the start of the audio. */
export type Sentence = {
	text: string;
	start: number;
	end: number;
	speaker?: string;
};

export type LanguageHints = {
	/** ISO 639 code of the transcript's language. */
	language: string;
	signal?: AbortSignal;
};

export type SummaryOptions = z.output<(typeof EXTRA_CONFIGS)["summarization_config"]>;

export type Judgement = {
	sentiment: "positive" | "neutral" | "negative";
	/** Confidence from 0 to 1. */
	confidence: number;
};

/** A chapter of the transcript. Begins with the sentence at index `first` and ends where the next one begins. */
export type Chapter = { first: number; title: string; summary: string };

export type TypedEvent = AudioEvent & { type: AudioEventType };

type Offer = {
	/** Name of the algorithm, if the engine's code does not tell. */
	method?: string;
};

/** Capabilities of an engine. A feature that it lacks is absent, never false. */
export type LanguageCapabilities = {
	/** ISO 639 codes of the transcripts that it supports. */
	languages: readonly string[] | "any";
	/** `targets` are language tags. A bare code includes its regional forms. */
	translation?: Offer & { targets: readonly string[] | "any" };
	summarization?: Offer & { contentTypes: readonly SummaryOptions["content_type"][] };
	sentiment_analysis?: Offer;
	topic_detection?: Offer;
	auto_chapters?: Offer;
	/** Independent of the language of the audio. */
	audio_events?: Offer & { types: readonly AudioEventType[] };
};

/**
 * An engine that makes extras from a transcript. A method takes all sentences and returns a result for each, in order, so that times and
 * speakers never pass through a model. Events are found in measurements of the audio.
 *
 * Methods throw EngineError for every failure of the engine, or the reason of an aborted `signal`.
 */
export type LanguageEngine = {
	code: string;
	capabilities: LanguageCapabilities;
	/** Returns one translation per sentence. */
	translate?(
		sentences: readonly Sentence[],
		hints: LanguageHints & { targetLanguage: string },
	): Promise<string[]>;
	summarise?(
		sentences: readonly Sentence[],
		hints: LanguageHints & { options: SummaryOptions },
	): Promise<string>;
	/** Returns one judgement per sentence. */
	judgeSentiment?(sentences: readonly Sentence[], hints: LanguageHints): Promise<Judgement[]>;
	/** Returns the topics of each sentence, which may be none. Uses only `topics` if they are given. */
	findTopics?(
		sentences: readonly Sentence[],
		hints: LanguageHints & { topics?: readonly string[] | undefined },
	): Promise<string[][]>;
	/** Returns at least one chapter. The first begins with the first sentence. */
	findChapters?(sentences: readonly Sentence[], hints: LanguageHints): Promise<Chapter[]>;
	/** Returns the events of these types in time order. `chunks` are those of one channel. */
	findEvents?(chunks: readonly ScoredChunk[], types: readonly AudioEventType[]): TypedEvent[];
};

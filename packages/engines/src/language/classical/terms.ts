/// <reference path="./stopword.d.ts" />
import { stemmer } from "stemmer";
import { eng } from "stopword";

/** A meaningful word, and its stem for comparison. */
export type Term = { word: string; stem: string };

/** Fillers of spoken language, which lists of stop words from written text lack. */
const FILLERS =
	"actually ah aha alright also anyway ask back basically bit bring bye come could day days eight er even ever every first five four getting give going gonna good got gotta great guess hello hey hi hmm huh just kind know last let lets like little look lot made make many may maybe mean mhm might mm more most much must need new next nice nine oh ok okay one people please put quite really right said say saying says see seven shall should six something sort speak speaking still stuff sure take talk talking tell ten thank thanks thing things think thinking three time times today told two uh uhm um wanna want wanted way well went will would yeah yep yes yet you'd you'll you're you've";

const STOP_WORDS: ReadonlySet<string> = new Set([
	...eng,
	...FILLERS.split(" "),
	..."a i cannot can't could couldn't didn't doesn't don't hadn't hasn't haven't he'd he'll he's here's i'd i'll i'm i've isn't it'd it'll it's let's shouldn't that's there's they'd they'll they're they've wasn't we'd we'll we're we've weren't what's who's won't wouldn't".split(
		" ",
	),
]);

/** Splits a text into words in lower case. Keeps apostrophes inside words ("don't"). */
export const wordsIn = (text: string): string[] =>
	text
		.toLowerCase()
		.replaceAll("’", "'")
		.match(/[\p{L}\p{N}]+(?:'\p{L}+)*/gu) ?? [];

export const toTerm = (word: string): Term => ({ word, stem: stemmer(word.replace(/'s$/, "")) });

export const isStopWord = (word: string): boolean =>
	STOP_WORDS.has(word) || /^\p{L}$/u.test(word) || /^\d+$/.test(word);

/** Returns the terms of an English text: its words without stop words and fillers. */
export const termsIn = (text: string): Term[] =>
	wordsIn(text)
		.filter((word) => !isStopWord(word))
		.map(toTerm);

/** Counts how often each value occurs, in the order of first occurrence. */
export function countOf<T>(values: Iterable<T>): Map<T, number> {
	const counts = new Map<T, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}

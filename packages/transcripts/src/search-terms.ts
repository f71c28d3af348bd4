/** A term of a text in the form in which it is compared, and where it stands, in UTF-16 code units. */
export type Term = { term: string; start: number; end: number };

/** Characters of a term that are compared. */
const MAX_TERM_LENGTH = 64;
/** A character of a script without spaces between words, or else a run of letters, digits and marks. */
const WORD =
	/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]+/gv;
/** Accents, Hebrew points and Arabic vowel marks, which people leave out. Vowel signs of other scripts are letters to them. */
const OPTIONAL_MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;

/** Returns the terms of a text in order. Case and accents do not count. Scripts without spaces have a term per character. */
export function termsOf(text: string): Term[] {
	const terms: Term[] = [];
	for (const { 0: word, index } of text.matchAll(WORD)) {
		const term = foldTerm(word);
		if (term) terms.push({ term, start: index, end: index + word.length });
	}
	return terms;
}

function foldTerm(text: string): string {
	const folded = text.normalize("NFKD").replace(OPTIONAL_MARKS, "").toLowerCase().normalize("NFC");
	// Compatibility forms may hold what is no letter.
	return [...folded.replace(/[^\p{L}\p{N}\p{M}]/gu, "")].slice(0, MAX_TERM_LENGTH).join("");
}

/** Terms that must follow each other; the last one may be the beginning of a word. */
export type SearchPhrase = { terms: string[]; isPrefix: boolean };

/** Phrases of a query that count, at most. */
const MAX_PHRASES = 16;
/** Terms of a phrase that count, at most. */
const MAX_TERMS = 32;
/** Beginnings shorter than this match too much. */
const MIN_PREFIX_LENGTH = 3;

/**
 * Parses what a person typed: words, and phrases in double quotes. A `*` at the end of either matches the beginning of a word,
 * after at least `MIN_PREFIX_LENGTH` characters. Every other character that is no letter, digit or mark separates words.
 * Ignores phrases after the first `MAX_PHRASES`, and terms of a phrase after the first `MAX_TERMS`.
 */
export function parseQuery(query: string): SearchPhrase[] {
	const phrases: SearchPhrase[] = [];
	for (const [, quoted, word = ""] of query.matchAll(/["“”„]([^"“”„]*)["“”„]?|([^\s"“”„]+)/gu)) {
		const text = quoted ?? word;
		const terms = termsOf(text)
			.map(({ term }) => term)
			.slice(0, MAX_TERMS);
		const last = terms.at(-1);
		if (last === undefined || phrases.length === MAX_PHRASES) continue;
		const isPrefix = text.endsWith("*") && [...last].length >= MIN_PREFIX_LENGTH;
		phrases.push({ terms, isPrefix });
	}
	return phrases;
}

/** Returns where phrases occur in a text: ranges in UTF-16 code units, in order, and how many of the phrases occur. */
export function findPhrases(
	text: string,
	phrases: readonly SearchPhrase[],
): { ranges: [number, number][]; found: number } {
	const terms = termsOf(text);
	const ranges: [number, number][] = [];
	let found = 0;
	for (const phrase of phrases) {
		let occurs = false;
		for (let from = 0; from + phrase.terms.length <= terms.length; from++) {
			if (!occursAt(terms, from, phrase)) continue;
			occurs = true;
			ranges.push([terms[from]?.start ?? 0, terms[from + phrase.terms.length - 1]?.end ?? 0]);
		}
		if (occurs) found++;
	}
	return { ranges: mergeRanges(ranges), found };
}

const occursAt = (terms: readonly Term[], from: number, { terms: wanted, isPrefix }: SearchPhrase): boolean =>
	wanted.every((term, index) => {
		const here = terms[from + index]?.term ?? "";
		return isPrefix && index === wanted.length - 1 ? here.startsWith(term) : here === term;
	});

function mergeRanges(ranges: [number, number][]): [number, number][] {
	const merged: [number, number][] = [];
	for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
		const last = merged.at(-1);
		if (last && start <= last[1]) last[1] = Math.max(last[1], end);
		else merged.push([start, end]);
	}
	return merged;
}

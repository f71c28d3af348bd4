import { countOf, isStopWord, type Term, termsIn, toTerm, wordsIn } from "./terms.ts";

const MAX_KEYWORDS = 10;
/** Minimum number of sentences with a keyword. */
const MIN_SENTENCES = 2;
/** In a long recording, a keyword must occur in at least one of this many sentences. */
const MAX_RARITY = 100;
/** Share of a word's sentences with a chosen phrase from which the word is not a keyword of its own. */
const MAX_WITHIN_PHRASE = 0.6;

type Candidate = { stems: string[]; label: string; sentences: Set<number> };

/**
 * Finds topics as recurring keywords: single terms and pairs of adjacent terms, ranked by the number of their sentences.
 * @returns the keywords of each sentence.
 */
export function keywordsOf(texts: readonly string[]): string[][] {
	const keywords = chooseKeywords(texts);
	return texts.map((_, index) =>
		keywords.filter(({ sentences }) => sentences.has(index)).map(({ label }) => label),
	);
}

/** Finds the given topics in each sentence, which must contain all words of the topic, in any form and order. */
export function matchTopics(texts: readonly string[], topics: readonly string[]): string[][] {
	const wanted = topics.map((topic) => {
		const terms = termsIn(topic);
		return { topic, stems: (terms.length > 0 ? terms : wordsIn(topic).map(toTerm)).map(({ stem }) => stem) };
	});
	return texts.map((text) => {
		const stems = new Set(wordsIn(text).map((word) => toTerm(word).stem));
		return wanted
			.filter(({ stems: needed }) => needed.length > 0 && needed.every((stem) => stems.has(stem)))
			.map(({ topic }) => topic);
	});
}

/** Returns the terms that distinguish each text from the others, the most distinctive first. */
export function distinctiveTerms(texts: readonly string[], count: number): string[][] {
	const terms = texts.map((text) => termsIn(text).filter(({ word }) => word.length > 2));
	const holders = countOf(terms.flatMap((own) => [...new Set(own.map(({ stem }) => stem))]));
	return terms.map((own) => {
		const forms = Map.groupBy(own, ({ stem }) => stem);
		return [...forms]
			.map(([stem, same]) => ({
				label: commonForm(same),
				score: same.length * Math.log((texts.length + 1) / (holders.get(stem) ?? 1)),
			}))
			.sort((a, b) => b.score - a.score)
			.slice(0, count)
			.map(({ label }) => label);
	});
}

function chooseKeywords(texts: readonly string[]): Candidate[] {
	const least = Math.max(MIN_SENTENCES, Math.ceil(texts.length / MAX_RARITY));
	const candidates = candidatesIn(texts)
		.filter(({ sentences }) => sentences.size >= least)
		.sort((a, b) => b.sentences.size * b.stems.length - a.sentences.size * a.stems.length);
	const chosen: Candidate[] = [];
	for (const candidate of candidates) {
		if (chosen.length === MAX_KEYWORDS) break;
		const phrases = chosen.filter(({ stems }) => candidate.stems.some((stem) => stems.includes(stem)));
		const isWithin = phrases.some(
			({ sentences }) =>
				sharedBy(candidate.sentences, sentences) >= MAX_WITHIN_PHRASE * candidate.sentences.size,
		);
		if (!isWithin) chosen.push(candidate);
	}
	return chosen;
}

function candidatesIn(texts: readonly string[]): Candidate[] {
	const found = new Map<string, { terms: Term[][]; sentences: Set<number> }>();
	const count = (terms: Term[], sentence: number) => {
		const key = terms.map(({ stem }) => stem).join(" ");
		const candidate = found.get(key) ?? { terms: [], sentences: new Set() };
		candidate.terms.push(terms);
		candidate.sentences.add(sentence);
		found.set(key, candidate);
	};
	texts.forEach((text, index) => {
		const words = wordsIn(text);
		words.forEach((word, at) => {
			if (isStopWord(word) || word.length < 3) return;
			count([toTerm(word)], index);
			const next = words[at + 1];
			if (next !== undefined && !isStopWord(next) && next.length > 2 && next !== word)
				count([toTerm(word), toTerm(next)], index);
		});
	});
	return [...found].map(([key, { terms, sentences }]) => {
		const stems = key.split(" ");
		const label = stems.map((_, at) => commonForm(terms.map((term) => term[at] as Term))).join(" ");
		return { stems, label, sentences };
	});
}

/** Returns the most frequent form of a term, or the first of several. */
function commonForm(terms: readonly Term[]): string {
	const [form] = [...countOf(terms.map(({ word }) => word))].sort((a, b) => b[1] - a[1]);
	return form?.[0] ?? "";
}

const sharedBy = (left: ReadonlySet<number>, right: ReadonlySet<number>): number =>
	[...left].filter((sentence) => right.has(sentence)).length;

import { countOf, isStopWord, type Term, termsIn, toTerm, wordsIn } from "./terms.ts";

const MAX_KEYWORDS = 10;
/** What is said in fewer sentences is mentioned, not talked about. */
const MIN_SENTENCES = 2;
/** Of a long recording, a keyword is in at least one sentence of this many. */
const RARITY = 100;
/** A word that stands in its phrase this often is not a keyword beside the phrase. */
const WITHIN_PHRASE = 0.6;

type Candidate = { stems: string[]; label: string; sentences: Set<number> };

/**
 * Topics as recurring keywords: single terms, and two that stand side by side, by the number of sentences that hold them.
 * @returns the keywords of each sentence.
 */
export function keywordsOf(texts: readonly string[]): string[][] {
	const keywords = chooseKeywords(texts);
	return texts.map((_, index) =>
		keywords.filter(({ sentences }) => sentences.has(index)).map(({ label }) => label),
	);
}

/** Which of the given topics each sentence names: all words of the topic, in whatever form and order. */
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

/** For each text the terms that tell it from the others, the most telling first. */
export function tellingTerms(texts: readonly string[], count: number): string[][] {
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
	const least = Math.max(MIN_SENTENCES, Math.ceil(texts.length / RARITY));
	const candidates = candidatesIn(texts)
		.filter(({ sentences }) => sentences.size >= least)
		.sort((a, b) => b.sentences.size * b.stems.length - a.sentences.size * a.stems.length);
	const chosen: Candidate[] = [];
	for (const candidate of candidates) {
		if (chosen.length === MAX_KEYWORDS) break;
		const phrases = chosen.filter(({ stems }) => candidate.stems.some((stem) => stems.includes(stem)));
		const isWithin = phrases.some(
			({ sentences }) => sharedBy(candidate.sentences, sentences) >= WITHIN_PHRASE * candidate.sentences.size,
		);
		if (!isWithin) chosen.push(candidate);
	}
	return chosen;
}

function candidatesIn(texts: readonly string[]): Candidate[] {
	const found = new Map<string, { terms: Term[][]; sentences: Set<number> }>();
	const note = (terms: Term[], sentence: number) => {
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
			note([toTerm(word)], index);
			const next = words[at + 1];
			if (next !== undefined && !isStopWord(next) && next.length > 2 && next !== word)
				note([toTerm(word), toTerm(next)], index);
		});
	});
	return [...found].map(([key, { terms, sentences }]) => {
		const stems = key.split(" ");
		const label = stems.map((_, at) => commonForm(terms.map((term) => term[at] as Term))).join(" ");
		return { stems, label, sentences };
	});
}

/** The form in which a term is said most often; of equals the first. */
function commonForm(terms: readonly Term[]): string {
	const [form] = [...countOf(terms.map(({ word }) => word))].sort((a, b) => b[1] - a[1]);
	return form?.[0] ?? "";
}

const sharedBy = (left: ReadonlySet<number>, right: ReadonlySet<number>): number =>
	[...left].filter((sentence) => right.has(sentence)).length;

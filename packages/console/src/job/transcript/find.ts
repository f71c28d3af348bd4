import type { Paragraph } from "./paragraphs.ts";

/** A place where the searched words are. */
export type Hit = { paragraph: number; from: number; to: number; start: number };

export const MAX_HITS = 5_000;

/** Finds every occurrence in paragraphs, ignoring case and accents unless the search is exact. */
export function findHits(paragraphs: readonly Paragraph[], text: string, isExact = false): Hit[] {
	const hits: Hit[] = [];
	const wanted = isExact ? text : fold(text).folded;
	if (!wanted.trim()) return hits;
	for (const [index, paragraph] of paragraphs.entries()) {
		const { folded, places } = isExact ? { folded: paragraph.text, places: undefined } : fold(paragraph.text);
		const placeOf = (at: number) => (places ? (places[at] ?? paragraph.text.length) : at);
		for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, at + wanted.length)) {
			const [from, to] = [placeOf(at), placeOf(at + wanted.length)];
			const word = paragraph.words.find(({ tokenTo }) => tokenTo > from);
			hits.push({ paragraph: index, from, to, start: word?.start ?? paragraph.start });
			if (hits.length === MAX_HITS) return hits;
		}
	}
	return hits;
}

/** Finds the first hit at or after a time, such as the start of the sentence that a search has found; 0 when there is none. */
export const hitFrom = (hits: readonly Hit[], time: number): number =>
	Math.max(
		0,
		hits.findIndex(({ start }) => start >= time),
	);

const PLAIN = /^[\p{ASCII}]*$/u;

/** Lower-cases and drops accents. `places` is where each letter was, absent when none has moved. */
function fold(text: string): { folded: string; places?: number[] } {
	if (PLAIN.test(text)) return { folded: text.toLowerCase() };
	let folded = "";
	const places: number[] = [];
	let at = 0;
	for (const letter of text) {
		const plain =
			letter
				.toLowerCase()
				.normalize("NFD")
				.replace(/\p{M}+/gu, "") || letter;
		for (let unit = 0; unit < plain.length; unit++) places.push(at);
		folded += plain;
		at += letter.length;
	}
	return { folded, places };
}

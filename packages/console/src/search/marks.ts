import type { SearchHit } from "@parley/contracts/batch/search";

export type Piece = { text: string; isMarked: boolean; start: number };

/** Cuts a sentence at its marked words. */
export function toPieces({ text, highlights }: Pick<SearchHit, "text" | "highlights">): Piece[] {
	const pieces: Piece[] = [];
	let at = 0;
	for (const [start, end] of highlights) {
		if (start > at) pieces.push({ text: text.slice(at, start), isMarked: false, start: at });
		pieces.push({ text: text.slice(start, end), isMarked: true, start });
		at = end;
	}
	if (at < text.length) pieces.push({ text: text.slice(at), isMarked: false, start: at });
	return pieces;
}

/** Returns what to look for in the transcript of a hit: the longest run of marked words. */
export function wordsToFind({ text, highlights }: Pick<SearchHit, "text" | "highlights">): string {
	let best = "";
	let run: [number, number] | undefined;
	for (const [start, end] of highlights) {
		const isNext = run && /^\s*$/.test(text.slice(run[1], start));
		run = run && isNext ? [run[0], end] : [start, end];
		if (run[1] - run[0] > best.length) best = text.slice(...run);
	}
	return best;
}

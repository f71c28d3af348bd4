import { termsIn } from "./terms.ts";

const DAMPING = 0.85;
const ROUNDS = 30;
/** Maximum number of sentences to rank at once, because the cost grows with the square. Longer texts are ranked in blocks. */
const MAX_RANKED = 120;
/** Share of common terms from which two sentences count as the same. */
const SAME_SHARE = 0.7;
/** Penalty for repeating chosen sentences, as a share of the best rank (maximal marginal relevance). */
const REPETITION_PENALTY = 0.5;

/**
 * Chooses the `count` most representative sentences and returns their indexes in the order of the text.
 * Uses TextRank (Mihalcea & Tarau, 2004), https://aclanthology.org/W04-3252/
 */
export function keySentences(texts: readonly string[], count: number): number[] {
	const terms = texts.map((text) => new Set(termsIn(text).map(({ stem }) => stem)));
	let candidates = [...texts.keys()].filter((index) => (terms[index]?.size ?? 0) > 0);
	while (candidates.length > MAX_RANKED) {
		const blocks: number[][] = [];
		for (let at = 0; at < candidates.length; at += MAX_RANKED)
			blocks.push(candidates.slice(at, at + MAX_RANKED));
		const share = Math.max(count, Math.floor(MAX_RANKED / blocks.length));
		const best = blocks.flatMap((block) =>
			inOrder(
				ranked(block, terms)
					.slice(0, share)
					.map(({ index }) => index),
			),
		);
		if (best.length >= candidates.length) break;
		candidates = best;
	}
	return inOrder(pickDiverse(ranked(candidates, terms), terms, count));
}

/** Picks the best ranked sentences that do not repeat those already chosen. */
function pickDiverse(
	candidates: readonly Ranked[],
	terms: readonly ReadonlySet<string>[],
	count: number,
): number[] {
	const highest = candidates[0]?.rank ?? 1;
	const chosen: number[] = [];
	let rest = candidates.map((candidate) => ({ ...candidate, repeated: 0 }));
	while (chosen.length < count && rest.length > 0) {
		const worth = (one: (typeof rest)[number]) => one.rank / highest - REPETITION_PENALTY * one.repeated;
		const best = rest.reduce((leader, one) => (worth(one) > worth(leader) ? one : leader));
		chosen.push(best.index);
		rest = rest
			.filter((one) => one !== best)
			.map((one) => {
				const repeated = Math.max(one.repeated, shareOf(terms[one.index], terms[best.index]));
				return { ...one, repeated };
			})
			.filter(({ repeated }) => repeated <= SAME_SHARE);
	}
	return chosen;
}

type Ranked = { index: number; rank: number };

const inOrder = (indexes: readonly number[]): number[] => [...indexes].sort((a, b) => a - b);

/** Ranks sentences, best first. Of equals, the earlier one is first. */
function ranked(candidates: readonly number[], terms: readonly ReadonlySet<string>[]): Ranked[] {
	const size = candidates.length;
	const links = candidates.map((left) =>
		candidates.map((right) => (left === right ? 0 : similarity(terms[left], terms[right]))),
	);
	const sums = links.map((row) => row.reduce((sum, link) => sum + link, 0));
	let ranks = new Array<number>(size).fill(1);
	for (let round = 0; round < ROUNDS; round++) {
		ranks = ranks.map((_, to) => {
			let received = 0;
			for (let from = 0; from < size; from++) {
				const link = links[from]?.[to] ?? 0;
				if (link > 0) received += (link / (sums[from] ?? 1)) * (ranks[from] ?? 0);
			}
			return 1 - DAMPING + DAMPING * received;
		});
	}
	return candidates
		.map((index, at) => ({ index, rank: ranks[at] ?? 0 }))
		.sort((a, b) => b.rank - a.rank || a.index - b.index);
}

/** Returns the number of common terms over the logarithms of both lengths. */
function similarity(left: ReadonlySet<string> = NONE, right: ReadonlySet<string> = NONE): number {
	const common = commonOf(left, right);
	return common === 0 ? 0 : common / (Math.log(left.size + 1) + Math.log(right.size + 1));
}

const NONE: ReadonlySet<string> = new Set();

function commonOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
	let common = 0;
	for (const stem of left) if (right.has(stem)) common++;
	return common;
}

const shareOf = (left: ReadonlySet<string> = NONE, right: ReadonlySet<string> = NONE): number =>
	commonOf(left, right) / Math.max(1, Math.min(left.size, right.size));

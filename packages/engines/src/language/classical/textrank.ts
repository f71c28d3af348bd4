import { termsIn } from "./terms.ts";

const DAMPING = 0.85;
const ROUNDS = 30;
/** Ranking costs the square of this. Longer texts are ranked in blocks, and the best of each block once more. */
const MAX_RANKED = 300;
/** Two sentences that share more of their terms say the same. */
const SAME_SHARE = 0.7;

/**
 * The `count` sentences that say most of what the others say, as indexes in the order of the text.
 * TextRank, Mihalcea & Tarau 2004, https://aclanthology.org/W04-3252/
 */
export function keySentences(texts: readonly string[], count: number): number[] {
	const terms = texts.map((text) => new Set(termsIn(text).map(({ stem }) => stem)));
	let candidates = [...texts.keys()].filter((index) => (terms[index]?.size ?? 0) > 0);
	while (candidates.length > MAX_RANKED) {
		const blocks: number[][] = [];
		for (let at = 0; at < candidates.length; at += MAX_RANKED)
			blocks.push(candidates.slice(at, at + MAX_RANKED));
		const share = Math.max(count, Math.floor(MAX_RANKED / blocks.length));
		const best = blocks.flatMap((block) => inOrder(ranked(block, terms).slice(0, share)));
		if (best.length >= candidates.length) break;
		candidates = best;
	}
	const chosen: number[] = [];
	for (const index of ranked(candidates, terms)) {
		if (chosen.length === count) break;
		const own = terms[index] as Set<string>;
		if (!chosen.some((other) => shareOf(own, terms[other] as Set<string>) > SAME_SHARE)) chosen.push(index);
	}
	return inOrder(chosen);
}

const inOrder = (indexes: readonly number[]): number[] => [...indexes].sort((a, b) => a - b);

/** Indexes by falling rank; of equals the earlier one is first. */
function ranked(candidates: readonly number[], terms: readonly ReadonlySet<string>[]): number[] {
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
	return [...candidates.keys()]
		.sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || a - b)
		.map((at) => candidates[at] as number);
}

/** Terms in common over the logarithms of both lengths. */
function similarity(left: ReadonlySet<string> = new Set(), right: ReadonlySet<string> = new Set()): number {
	const common = commonOf(left, right);
	return common === 0 ? 0 : common / (Math.log(left.size + 1) + Math.log(right.size + 1));
}

function commonOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
	let common = 0;
	for (const stem of left) if (right.has(stem)) common++;
	return common;
}

const shareOf = (left: ReadonlySet<string>, right: ReadonlySet<string>): number =>
	commonOf(left, right) / Math.max(1, Math.min(left.size, right.size));

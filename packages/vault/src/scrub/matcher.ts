/** A text to look for. */
export type Pattern = { text: string };

const BASE = 0x01000193;
const FILTER_SIZE = 1 << 16;

type Anchored<P> = { pattern: P; length: number; hash: number; power: number };

/**
 * Finds many texts at once (Rabin–Karp): one pass for the hash of every prefix, one that looks up the hash of the next few
 * characters; whole patterns are compared by hash before they are compared by character, so that near misses of long
 * patterns cost no more than short ones. Calls back with each start and the longest pattern there, or the next shorter one when
 * the answer is false; matches may overlap.
 */
export function createMatcher<P extends Pattern>(
	patterns: readonly P[],
): (text: string, onMatch: (start: number, pattern: P) => boolean) => void {
	const anchorLength = patterns.reduce(
		(least, { text }) => Math.min(least, text.length),
		Number.MAX_SAFE_INTEGER,
	);
	const anchorPower = powerOf(anchorLength);
	const filter = new Uint8Array(FILTER_SIZE);
	const byAnchor = new Map<number, Anchored<P>[]>();
	for (const pattern of patterns.toSorted((a, b) => b.text.length - a.text.length)) {
		const { length } = pattern.text;
		const anchor = hashOf(pattern.text.slice(0, anchorLength));
		const anchored = { pattern, length, hash: hashOf(pattern.text), power: powerOf(length) };
		filter[slotOf(anchor)] = 1;
		byAnchor.set(anchor, [...(byAnchor.get(anchor) ?? []), anchored]);
	}
	return (text, onMatch) => {
		if (text.length < anchorLength) return;
		const prefixes = prefixHashes(text);
		const at = (index: number): number => prefixes[index] ?? 0;
		for (let start = 0; start + anchorLength <= text.length; start++) {
			const anchor = (at(start + anchorLength) - Math.imul(at(start), anchorPower)) | 0;
			if (filter[slotOf(anchor)] === 0) continue;
			byAnchor.get(anchor)?.some(({ pattern, length, hash, power }) => {
				if (start + length > text.length) return false;
				const here = (at(start + length) - Math.imul(at(start), power)) | 0;
				return here === hash && text.startsWith(pattern.text, start) && onMatch(start, pattern);
			});
		}
	};
}

/** `result[i]` is the hash of the first `i` characters. */
function prefixHashes(text: string): Int32Array {
	const hashes = new Int32Array(text.length + 1);
	let hash = 0;
	for (let i = 0; i < text.length; i++) {
		hash = (Math.imul(hash, BASE) + text.charCodeAt(i)) | 0;
		hashes[i + 1] = hash;
	}
	return hashes;
}

const hashOf = (text: string): number => prefixHashes(text)[text.length] ?? 0;

const slotOf = (hash: number): number => (hash ^ (hash >>> 15)) & (FILTER_SIZE - 1);

function powerOf(exponent: number): number {
	let power = 1;
	for (let i = 0; i < exponent; i++) power = Math.imul(power, BASE);
	return power;
}

// How words became others: the longest common subsequence, as the server finds it when it saves a revision.
export type Change = { from: number; to: number; words: string[] };

/** Longest texts, in words, that are compared word by word. Longer ones are one change from the first difference to the last. */
const MAX_WORDS = 400;

/** Finds how words became others: ranges of the old ones, and what is there now. */
export function changesOf(before: readonly string[], after: readonly string[]): Change[] {
	if (before.length > MAX_WORDS || after.length > MAX_WORDS) return [outerChange(before, after)];
	const width = after.length + 1;
	/** Length of the longest common subsequence of what follows. */
	const common = new Uint16Array((before.length + 1) * width);
	for (let b = before.length - 1; b >= 0; b--)
		for (let a = after.length - 1; a >= 0; a--)
			common[b * width + a] =
				before[b] === after[a]
					? (common[(b + 1) * width + a + 1] ?? 0) + 1
					: Math.max(common[(b + 1) * width + a] ?? 0, common[b * width + a + 1] ?? 0);
	const changes: Change[] = [];
	let [b, a] = [0, 0];
	while (b < before.length || a < after.length) {
		if (b < before.length && a < after.length && before[b] === after[a]) {
			b++;
			a++;
			continue;
		}
		const change: Change = { from: b, to: b, words: [] };
		while (
			(b < before.length || a < after.length) &&
			(b >= before.length || a >= after.length || before[b] !== after[a])
		) {
			const skipOld = b < before.length ? (common[(b + 1) * width + a] ?? 0) : -1;
			const takeNew = a < after.length ? (common[b * width + a + 1] ?? 0) : -1;
			if (skipOld >= takeNew) b++;
			else change.words.push(after[a++] as string);
		}
		change.to = b;
		changes.push(change);
	}
	return changes;
}

function outerChange(before: readonly string[], after: readonly string[]): Change {
	let from = 0;
	while (from < before.length && from < after.length && before[from] === after[from]) from++;
	let end = 0;
	while (end < Math.min(before.length, after.length) - from && before.at(-1 - end) === after.at(-1 - end))
		end++;
	return { from, to: before.length - end, words: after.slice(from, after.length - end) };
}

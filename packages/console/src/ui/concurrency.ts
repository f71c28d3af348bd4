/** Runs a task for each item, at most `limit` at once, and returns how each ended, in order. */
export async function settleAll<T, R>(
	items: readonly T[],
	limit: number,
	task: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
	const results: PromiseSettledResult<R>[] = [];
	let next = 0;
	const work = async () => {
		for (let at = next++; at < items.length; at = next++) {
			const [result] = await Promise.allSettled([task(items[at] as T)]);
			results[at] = result;
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work));
	return results;
}

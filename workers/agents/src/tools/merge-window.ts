type Named = { name: string; id: string };

type Window<T> = {
	/** A whole list, ordered by name then id. */
	all: readonly T[];
	/** Items `start` and following of another list in the same order. */
	part: readonly T[];
	start: number;
	offset: number;
	limit: number;
};

/**
 * Items `offset` to `offset + limit` of two lists merged in order, of which the second is known in part only: from
 * `offset - all.length` to `offset + limit`, where it reaches that far.
 */
export function mergeWindow<T extends Named>({ all, part, start, offset, limit }: Window<T>): T[] {
	const isBefore = (a: T, b: T): boolean => a.name < b.name || (a.name === b.name && a.id < b.id);
	const countBefore = (list: readonly T[], item: T) => list.filter((other) => isBefore(other, item)).length;
	// The place of an item of `all` that stands before unknown items comes out too high, but never as high as `offset`.
	const placed = [
		...all.map((item, rank) => ({ item, place: rank + start + countBefore(part, item) })),
		...part.map((item, index) => ({ item, place: start + index + countBefore(all, item) })),
	];
	return placed
		.filter(({ place }) => place >= offset && place < offset + limit)
		.toSorted((a, b) => a.place - b.place)
		.map(({ item }) => item);
}

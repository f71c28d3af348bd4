/** What entering schemas may cost altogether; keywords whose errors quote or list them cost by their length. */
const MAX_COST = 500_000;
const LISTS = ["enum", "const", "required", "dependentRequired"] as const;

/**
 * A copy of a schema that throws once checking a single value against it has cost too much: references can make the work
 * grow exponentially, and failures in a long list fill the memory.
 */
export function meterSchema(schema: object): object {
	const copy = structuredClone(schema);
	let left = MAX_COST;
	// A set is run through as it grows; what stands in several places is metered once.
	const nodes = new Set<unknown>([copy]);
	for (const node of nodes) {
		if (typeof node !== "object" || node === null) continue;
		for (const member of Object.values(node)) nodes.add(member);
		const cost = costOf(node);
		// A keyword of another dialect, which the validator reads whenever it enters a schema.
		Object.defineProperty(node, "$recursiveRef", {
			enumerable: false,
			get: () => {
				left -= cost;
				if (left < 0) throw new RangeError("Too much work");
			},
		});
	}
	return copy;
}

function costOf(node: object): number {
	const lists = LISTS.map((keyword) => (node as Record<string, unknown>)[keyword]);
	return 1 + JSON.stringify(lists.filter((list) => list !== undefined)).length / 10;
}

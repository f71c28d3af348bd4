/** Names that all vendors accept for a tool. */
const VALID_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const MAX_LENGTH = 64;

/**
 * Returns a name per tool, in the order given: the tool's own name where every vendor accepts it, otherwise a slug. The second
 * and third tool of one name get `_2` and `_3`, so that the names of a version never change.
 */
export function nameTools(names: readonly string[]): string[] {
	const taken = new Set<string>();
	return names.map((name) => {
		const base = VALID_NAME.test(name) ? name : slugOf(name);
		let unique = base;
		for (let count = 2; taken.has(unique); count++) {
			const suffix = `_${count}`;
			unique = base.slice(0, MAX_LENGTH - suffix.length) + suffix;
		}
		taken.add(unique);
		return unique;
	});
}

function slugOf(name: string): string {
	const ascii = name
		.normalize("NFKD")
		.replaceAll(/\p{M}/gu, "")
		.replaceAll(/[^a-zA-Z0-9_-]+/g, "_")
		.replaceAll(/^[_-]+|[_-]+$/g, "");
	const start = /^[a-zA-Z_]/.test(ascii) ? ascii : `tool_${ascii}`;
	return start.replace(/_$/, "").slice(0, MAX_LENGTH);
}

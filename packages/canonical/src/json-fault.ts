/** Deeper values are refused before a recursive reader of ours could run out of stack. */
export const MAX_JSON_DEPTH = 100;

export type JsonFault = { path: PropertyKey[]; message: string };

/**
 * Finds content of a parsed JSON value that JSON text allows but no store or hash preserves: a number beyond a double's range
 * (parsed as infinity), half of a surrogate pair, a `__proto__` member, unlimited nesting. Returns undefined if there is none.
 */
export function jsonFault(value: unknown, depth = 0): JsonFault | undefined {
	if (typeof value === "string") return value.isWellFormed() ? undefined : at("Not valid Unicode text");
	if (typeof value === "number") return Number.isFinite(value) ? undefined : at("The number is too large");
	if (typeof value !== "object" || value === null) return undefined;
	if (depth === MAX_JSON_DEPTH) return at(`Nested deeper than ${MAX_JSON_DEPTH} levels`);
	return Array.isArray(value) ? faultOfItems(value, depth) : faultOfMembers(value, depth);
}

function faultOfItems(items: unknown[], depth: number): JsonFault | undefined {
	for (const [index, item] of items.entries()) {
		const fault = jsonFault(item, depth + 1);
		if (fault) return under(index, fault);
	}
	return undefined;
}

function faultOfMembers(value: object, depth: number): JsonFault | undefined {
	for (const [key, member] of Object.entries(value)) {
		const known = key === "__proto__" ? at("Unknown property") : jsonFault(key);
		const fault = known ?? jsonFault(member, depth + 1);
		if (fault) return under(key, fault);
	}
	return undefined;
}

const at = (message: string): JsonFault => ({ path: [], message });
const under = (key: PropertyKey, fault: JsonFault): JsonFault => ({ ...fault, path: [key, ...fault.path] });

import { canonicalJson } from "@parley/canonical/jcs";
import type { JsonDifference } from "@parley/contracts/agents/mcp-servers";

export const MAX_DIFFERENCES = 100;
const MAX_TEXT_CHARS = 1_000;
const MAX_JSON_CHARS = 2_000;

type Json = Readonly<Record<string, unknown>>;

/**
 * Compares two JSON values. Objects are compared by property, lists of objects by index, and any other list as a whole.
 * @returns the first 100 differences, sorted by path
 */
export function diffJson(
	before: unknown,
	after: unknown,
): { differences: JsonDifference[]; truncated: boolean } {
	const differences: JsonDifference[] = [];
	let truncated = false;
	const add = (difference: Omit<JsonDifference, "truncated">): void => {
		if (differences.length === MAX_DIFFERENCES) truncated = true;
		else differences.push(shortenDifference(difference));
	};
	const compare = (path: string, from: unknown, to: unknown): void => {
		if (truncated) return;
		const [left, right] = [childrenOf(from), childrenOf(to)];
		if (!left || !right || Array.isArray(from) !== Array.isArray(to)) {
			if (canonicalJson(from) !== canonicalJson(to)) add({ op: "changed", path, from, to });
			return;
		}
		for (const key of new Set([...Object.keys(left), ...Object.keys(right)].sort())) {
			const child = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
			if (!Object.hasOwn(left, key)) add({ op: "added", path: child, from: null, to: right[key] });
			else if (!Object.hasOwn(right, key)) add({ op: "removed", path: child, from: left[key], to: null });
			else compare(child, left[key], right[key]);
		}
	};
	compare("", before, after);
	return { differences, truncated };
}

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** Returns a value's children when they are compared one by one; undefined when the value is compared as a whole. */
function childrenOf(value: unknown): Json | undefined {
	if (!isObject(value)) return undefined;
	return Array.isArray(value) && !value.every(isObject) ? undefined : value;
}

function shortenDifference({ op, path, from, to }: Omit<JsonDifference, "truncated">): JsonDifference {
	const [before, after] = [shorten(from), shorten(to)];
	return { op, path, from: before, to: after, truncated: before !== from || after !== to };
}

function shorten(value: unknown): unknown {
	if (typeof value === "string" && value.length > MAX_TEXT_CHARS)
		return `${value.slice(0, MAX_TEXT_CHARS - 1).toWellFormed()}…`;
	return isObject(value) && JSON.stringify(value).length > MAX_JSON_CHARS ? null : value;
}

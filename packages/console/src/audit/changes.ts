import { texts } from "./texts.ts";

/** One field that changed. Absent values are undefined. */
export type Change = { field: string; before: unknown; after: unknown };

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Reads the fields that changed from an entry's details: from `before` and `after`. @returns the details that remain */
export function readChanges(details: Record<string, unknown>): {
	changes: Change[];
	rest: [name: string, value: unknown][];
} {
	const { before, after, ...others } = details;
	if (!isRecord(before) && !isRecord(after)) return { changes: [], rest: Object.entries(details) };
	const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
	const fields = [...new Set([...Object.keys(old), ...Object.keys(now)])];
	return {
		changes: fields
			.filter((field) => !isSame(old[field], now[field]))
			.map((field) => ({ field, before: old[field], after: now[field] })),
		rest: Object.entries(others),
	};
}

/** Formats a value of the details as people read it. @returns undefined for none */
export function showValue(value: unknown): string | undefined {
	if (value === null || value === undefined || value === "") return undefined;
	if (Array.isArray(value) && value.every((one) => typeof one !== "object")) return value.join(", ");
	return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

/** Describes an action as what happened: `api_key.create` is "Created API key". */
export function describeAction(action: string): string {
	const [resource = "", verb = ""] = action.split(".");
	const whole = texts.actions[action];
	if (whole) return whole;
	const done = texts.verbs[verb] ?? verb.charAt(0).toUpperCase() + verb.slice(1);
	return `${done} ${texts.nouns[resource] ?? resource}`.replaceAll("_", " ");
}

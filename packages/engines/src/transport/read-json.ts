// Tolerant readers for responses of servers that agree on names, but not on types.

export type JsonObject = Record<string, unknown>;

/** Returns an object, or null for another value. */
export function readObject(value: unknown): JsonObject | null {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

/** Returns the objects of an array, or an empty list for another value. */
export function readObjects(value: unknown): JsonObject[] {
	return Array.isArray(value) ? value.map(readObject).filter((entry) => entry !== null) : [];
}

/** Returns a finite number, which may be a string ("17.65"), or null for another value. */
export function readNumber(value: unknown): number | null {
	if (typeof value === "string" && value.trim() === "") return null;
	const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
	return Number.isFinite(number) ? number : null;
}

/** Returns a string, or null for another value. */
export function readString(value: unknown): string | null {
	return typeof value === "string" ? value : null;
}

/** Returns a speaker label, which may be a string or a number, or undefined for another value. */
export function readLabel(value: unknown): string | undefined {
	if (typeof value === "number") return String(value);
	return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns a number between 0 and 1, or null for another value. */
export function readShare(value: unknown): number | null {
	const number = readNumber(value);
	return number === null ? null : Math.min(1, Math.max(0, number));
}

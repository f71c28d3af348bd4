/** Tolerant readers for answers of servers that agree on names, less so on types. */

export type JsonObject = Record<string, unknown>;

export function readObject(value: unknown): JsonObject | null {
	return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}

export function readObjects(value: unknown): JsonObject[] {
	return Array.isArray(value) ? value.map(readObject).filter((entry) => entry !== null) : [];
}

/** A finite number, also when it is written as a string ("17.65"); else null. */
export function readNumber(value: unknown): number | null {
	if (typeof value === "string" && value.trim() === "") return null;
	const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
	return Number.isFinite(number) ? number : null;
}

export function readString(value: unknown): string | null {
	return typeof value === "string" ? value : null;
}

/** Speaker labels come as names and as numbers. */
export function readLabel(value: unknown): string | undefined {
	if (typeof value === "number") return String(value);
	return typeof value === "string" && value !== "" ? value : undefined;
}

export function readShare(value: unknown): number | null {
	const number = readNumber(value);
	return number === null ? null : Math.min(1, Math.max(0, number));
}

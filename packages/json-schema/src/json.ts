export type JsonObject = Record<string, unknown>;

/** Returns whether a JSON value is an object, which an array and null are not. */
export const isJsonObject = (value: unknown): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);

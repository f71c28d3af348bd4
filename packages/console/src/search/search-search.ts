/** State of the search screen that lives in the URL. */
export type SearchSearch = { q?: string };

/** Reads the state from the URL. What the router took for a number or a boolean was typed as text. */
export function searchSearch({ q }: Record<string, unknown>): SearchSearch {
	const text = typeof q === "string" || typeof q === "number" || typeof q === "boolean" ? String(q) : "";
	return text.trim() ? { q: text } : {};
}

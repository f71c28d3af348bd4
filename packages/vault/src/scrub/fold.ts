/** Writes `+` as a space, as form-encoding reads it, and a backslash as `/`, as the URL parser does. */
export const foldSeparators = (text: string): string => text.replaceAll("+", " ").replaceAll("\\", "/");

/**
 * Folds case, too, as the URL parser does in schemes and hosts. Keeps the length: the one letter whose lower case is longer
 * is replaced before.
 */
export const folded = (text: string): string =>
	foldSeparators(text).replaceAll("\u0130", "i").toLowerCase().replaceAll("\u03c2", "\u03c3");

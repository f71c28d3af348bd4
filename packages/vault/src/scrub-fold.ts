/** Takes for one what writers exchange freely: form-encoding's `+` for a space, the URL parser's `/` for a backslash. */
export const foldSeparators = (text: string): string => text.replaceAll("+", " ").replaceAll("\\", "/");

/**
 * Folds case, too, as the URL parser does in schemes and hosts. Keeps the length: the one letter whose lower case is longer
 * is replaced before.
 */
export const folded = (text: string): string =>
	foldSeparators(text).replaceAll("\u0130", "i").toLowerCase().replaceAll("\u03c2", "\u03c3");

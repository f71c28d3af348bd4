import { baseLanguage } from "@parley/engines/languages";

/** Codes that engines use for the same language. */
const SAME: Record<string, string> = { cmn: "zh", nb: "no", nn: "no", iw: "he", fil: "tl" };

const languageOf = (tag: string): string => SAME[baseLanguage(tag)] ?? baseLanguage(tag);

/** Returns a warning if engines recognised another language than the requested one. `auto` requests none. */
export function languageWarnings(words: readonly { language: string | null }[], asked: string): string[] {
	if (asked === "auto") return [];
	const counts = new Map<string, number>();
	for (const { language } of words)
		if (language !== null && languageOf(language) !== languageOf(asked))
			counts.set(language, (counts.get(language) ?? 0) + 1);
	if (counts.size === 0) return [];
	const other = [...counts.values()].reduce((sum, count) => sum + count, 0);
	const recognised = [...counts].sort((a, b) => b[1] - a[1]).map(([language]) => language);
	return [
		`The language asked for is ${asked}, but the engine names ${listed(recognised)} as that of ${other} of ${words.length} words.`,
	];
}

const listed = (names: string[]): string =>
	names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");

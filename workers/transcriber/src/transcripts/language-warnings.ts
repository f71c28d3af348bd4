import { baseLanguage } from "@parley/engines/languages";

/** Codes that engines use for one another: one who asks for the first is not told that the second was heard. */
const SAME: Record<string, string> = { cmn: "zh", nb: "no", nn: "no", iw: "he", fil: "tl" };

const languageOf = (tag: string): string => SAME[baseLanguage(tag)] ?? baseLanguage(tag);

/** Whether engines heard another language than was asked for, as a sentence. Of `auto` none is another. */
export function languageWarnings(words: readonly { language: string | null }[], asked: string): string[] {
	if (asked === "auto") return [];
	const counts = new Map<string, number>();
	for (const { language } of words)
		if (language !== null && languageOf(language) !== languageOf(asked))
			counts.set(language, (counts.get(language) ?? 0) + 1);
	if (counts.size === 0) return [];
	const other = [...counts.values()].reduce((sum, count) => sum + count, 0);
	const heard = [...counts].sort((a, b) => b[1] - a[1]).map(([language]) => language);
	return [
		`The language asked for is ${asked}, but the engine names ${listed(heard)} as that of ${other} of ${words.length} words.`,
	];
}

const listed = (names: string[]): string =>
	names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)}` : (names[0] ?? "");

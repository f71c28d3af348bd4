const SMALL = (
	"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
	"eighteen nineteen"
).split(" ");
const TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const LARGE: [number, string][] = [
	[1_000_000_000, "billion"],
	[1_000_000, "million"],
	[1000, "thousand"],
	[100, "hundred"],
];

/**
 * Word error rate of a hypothesis: substitutions, deletions and insertions (the fewest that lead from one to the other)
 * for each word of the reference. 0 is perfect; it may exceed 1. An empty reference counts each inserted word as one.
 * Both are compared as `spokenWords`.
 */
export function wordErrorRate(reference: string, hypothesis: string): number {
	const expected = spokenWords(reference);
	return editDistance(expected, spokenWords(hypothesis)) / Math.max(1, expected.length);
}

/** The words as they are said: lower case, no punctuation but apostrophes inside words, numbers written out. */
export function spokenWords(text: string): string[] {
	return text
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[‘’]/g, "'")
		.replace(/\$(\d[\d,]*(?:\.\d+)?)/g, "$1 dollars")
		.replace(/(\d)%/g, "$1 percent")
		.replace(/(\d),(?=\d{3})/g, "$1")
		.replace(/\d+(\.\d+)?/g, (digits) => ` ${numberInWords(digits)} `)
		.replace(/[^\p{L}\p{N}']+|(?<!\p{L})'|'(?!\p{L})/gu, " ")
		.split(" ")
		.filter(Boolean);
}

/** The fewest insertions, deletions and substitutions that make one list of words the other (Levenshtein). */
export function editDistance(from: readonly string[], to: readonly string[]): number {
	let costs = Array.from({ length: to.length + 1 }, (_, j) => j);
	for (const [i, word] of from.entries()) {
		const next = [i + 1];
		for (const [j, other] of to.entries()) {
			const substituted = (costs[j] ?? 0) + (word === other ? 0 : 1);
			next.push(Math.min(substituted, (costs[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
		}
		costs = next;
	}
	return costs[to.length] ?? 0;
}

function numberInWords(digits: string): string {
	const [whole = "", fraction] = digits.split(".");
	const spelled = (text: string) => [...text].map((digit) => SMALL[Number(digit)]).join(" ");
	// Codes and telephone numbers are read digit by digit.
	const words = /^0\d|^\d{13,}/.test(whole) ? spelled(whole) : cardinal(Number(whole));
	return fraction ? `${words} point ${spelled(fraction)}` : words;
}

function cardinal(value: number): string {
	if (value < SMALL.length) return SMALL[value] ?? "";
	for (const [unit, name] of LARGE)
		if (value >= unit) return join(`${cardinal(Math.floor(value / unit))} ${name}`, value % unit);
	return join(TENS[Math.floor(value / 10)] ?? "", value % 10);
}

function join(words: string, rest: number): string {
	return rest ? `${words} ${cardinal(rest)}` : words;
}

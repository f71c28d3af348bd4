/**
 * Rules from spelling to phones; the first match counts. They are for names and new words that no dictionary has: rough, but good enough for the
 * recogniser to distinguish the word from others.
 */
const RULES: [letters: RegExp, phones: string][] = [
	// Clusters of letters for one sound, and silent first letters.
	[/ough/, "AO"],
	[/eigh/, "EY"],
	[/igh/, "AY"],
	[/[ts]ion/, "SH AH N"],
	[/ture$/, "CH ER"],
	[/tch/, "CH"],
	[/dge?(?=$|[^a-z])/, "JH"],
	[/sch/, "SH"],
	[/(?<=^)kn/, "N"],
	[/(?<=^)wr/, "R"],
	[/(?<=^)ps/, "S"],
	[/(?<=^)x/, "Z"],
	[/mb$/, "M"],
	[/ght/, "T"],
	[/gh/, "G"],
	[/ch/, "CH"],
	[/sh/, "SH"],
	[/ph/, "F"],
	[/th/, "TH"],
	[/wh/, "W"],
	[/qu/, "K W"],
	[/c?k+/, "K"],
	[/cc(?=[eiy])/, "K S"],
	[/s?c(?=[eiy])/, "S"],
	[/c+/, "K"],
	[/nk/, "NG K"],
	[/ng(?![aeiouy])/, "NG"],
	[/gg/, "G"],
	[/g(?=[eiy])/, "JH"],
	[/tz/, "T S"],
	[/x/, "K S"],
	// Vowels that a final e or their neighbours change.
	[/a(?=[bcdfgklmnpstvz]e$)/, "EY"],
	[/e(?=[bcdfgklmnpstvz]e$)/, "IY"],
	[/i(?=[bcdfgklmnpstvz]e$)/, "AY"],
	[/o(?=[bcdfgklmnpstvz]e$)/, "OW"],
	[/u(?=[bcdfgklmnpstvz]e$)/, "UW"],
	[/ear|eer|ier/, "IH R"],
	[/air|are$/, "EH R"],
	[/ar/, "AA R"],
	[/[oa]or|our|or(e$)?/, "AO R"],
	[/err?(?=[aiou])/, "EH R"],
	[/[eiu]r(e$)?|yr/, "ER"],
	[/ee|ea|ie|i(?=[aou])/, "IY"],
	[/o(?=[bcdfgklmnpstvz][aeiouy])/, "OW"],
	[/u(?=[bcdfgklmnpstvz][aeiouy])/, "UW"],
	[/oo|ew|ue$|ui/, "UW"],
	[/ou|ow(?!$)/, "AW"],
	[/ow$|oa|oe$/, "OW"],
	[/oi|oy/, "OY"],
	[/au|aw/, "AO"],
	[/ai|ay|ei|ey(?!$)/, "EY"],
	[/ey$/, "IY"],
	[/le$/, "AH L"],
	[/(?<=[^aeiouy])e$/, ""],
	[/(?<=[^aeiouy])es$/, "IH Z"],
	[/(?<=^)y/, "Y"],
	[/y$|i$/, "IY"],
	[/y/, "IH"],
	[/o$/, "OW"],
	[/a$/, "AH"],
	[/a/, "AE"],
	[/e/, "EH"],
	[/i/, "IH"],
	[/o/, "AA"],
	[/u/, "AH"],
	// Consonants, single or doubled.
	[/b+/, "B"],
	[/d+/, "D"],
	[/f+/, "F"],
	[/g/, "G"],
	[/h/, "HH"],
	[/j/, "JH"],
	[/l+/, "L"],
	[/m+/, "M"],
	[/n+/, "N"],
	[/p+/, "P"],
	[/q/, "K"],
	[/r+/, "R"],
	[/(?<=[aeiouybdglmnrv])s$/, "Z"],
	[/s+/, "S"],
	[/t+/, "T"],
	[/v+/, "V"],
	[/w/, "W"],
	[/z+/, "Z"],
];

const STICKY = RULES.map(([letters, phones]) => [new RegExp(letters.source, "y"), phones] as const);

/** Guesses the phones (CMU set) of a word. Skips characters other than a to z. */
export function guessPhones(word: string): string {
	const phones: string[] = [];
	for (let at = 0; at < word.length; ) {
		let length = 1;
		for (const [letters, sounds] of STICKY) {
			letters.lastIndex = at;
			const match = letters.exec(word);
			if (!match) continue;
			if (sounds) phones.push(sounds);
			length = match[0].length;
			break;
		}
		at += length;
	}
	return phones.join(" ");
}

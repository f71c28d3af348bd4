/** Thrown for a regular expression that `compilePattern` rejects. The message is public: it follows the field's name. */
export class PatternError extends Error {
	override readonly name = "PatternError";
}

export type Assertion = "start" | "end" | "boundary" | "no_boundary";

/** A part of a regular expression. `source` is a part that stands for one character. */
export type PatternNode =
	| { kind: "char"; source: string }
	| { kind: "assertion"; assertion: Assertion }
	| { kind: "all" | "any"; nodes: PatternNode[] }
	| { kind: "repeat"; node: PatternNode; min: number; max: number };

const MAX_CHARACTERS = 1_000;

/** Parts of the grammar that stand for one character. RegExp decides what they mean. */
const ESCAPED_CHARACTER =
	/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|[^1-9k])/suy;
const CLASS = /\[(?:\\.|[^\]\\])*\]/suy;
const GROUP = /\((?:\?:|\?<[^=!][^>]*>|(?!\?))/suy;
const LOOK_AROUND = /\(\?<?[=!]/suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/suy;
const ASSERTIONS: Readonly<Record<string, Assertion>> = {
	"^": "start",
	$: "end",
	"\\b": "boundary",
	"\\B": "no_boundary",
};

/**
 * Parses a regular expression of ECMA-262 with the flag `u`, the dialect of JSON Schema.
 * @throws PatternError for anything else, for look-around, back references and modifiers, and above 1,000 characters.
 */
export function parsePattern(source: string): PatternNode {
	if (source.length > MAX_CHARACTERS)
		throw new PatternError(`Must have at most ${MAX_CHARACTERS} characters: it is a regular expression`);
	if (!isRegExp(source))
		throw new PatternError("Must be a regular expression of ECMA-262 that is valid with the flag u");
	let at = 0;
	const take = (form: RegExp): RegExpExecArray | undefined => {
		form.lastIndex = at;
		const match = form.exec(source) ?? undefined;
		if (match) at = form.lastIndex;
		return match;
	};
	const choice = (): PatternNode => {
		const nodes = [sequence()];
		while (source[at] === "|") {
			at++;
			nodes.push(sequence());
		}
		return { kind: "any", nodes };
	};
	const sequence = (): PatternNode => {
		const nodes: PatternNode[] = [];
		while (at < source.length && source[at] !== "|" && source[at] !== ")") nodes.push(quantified());
		return { kind: "all", nodes };
	};
	const quantified = (): PatternNode => {
		const node = single();
		const match = take(QUANTIFIER);
		return match ? { kind: "repeat", node, ...timesOf(match) } : node;
	};
	const single = (): PatternNode => {
		const assertion = [source.slice(at, at + 1), source.slice(at, at + 2)].find((text) =>
			Object.hasOwn(ASSERTIONS, text),
		);
		if (assertion !== undefined) {
			at += assertion.length;
			return { kind: "assertion", assertion: ASSERTIONS[assertion] ?? "start" };
		}
		if (take(GROUP)) {
			const node = choice();
			at++;
			return node;
		}
		if (take(LOOK_AROUND)) throw new PatternError("Must not use look-around such as (?=…)");
		if (source[at] === "(") throw new PatternError("Must not use modifiers such as (?i:…)");
		const char = take(CLASS) ?? take(ESCAPED_CHARACTER) ?? (source[at] === "\\" ? undefined : take(/./suy));
		if (!char) throw new PatternError("Must not use back references such as \\1");
		return { kind: "char", source: char[0] };
	};
	return choice();
}

/** Returns how many Unicode properties such as `\\p{L}` a regular expression names. RegExp takes long to parse each. */
export const countUnicodeProperties = (source: string): number => source.match(/\\p/gi)?.length ?? 0;

function timesOf([, sign, least, comma, most]: RegExpExecArray): { min: number; max: number } {
	if (sign !== undefined)
		return { min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
	const min = Number(least);
	if (comma === "") return { min, max: min };
	return { min, max: most === "" ? Number.POSITIVE_INFINITY : Number(most) };
}

function isRegExp(source: string): boolean {
	try {
		return new RegExp(source, "u") instanceof RegExp;
	} catch {
		return false;
	}
}

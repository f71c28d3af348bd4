/** Why a regular expression cannot be used. The message is fit to be shown. */
export class PatternError extends Error {
	override readonly name = "PatternError";
}

export type LinearPattern = {
	/**
	 * Whether the pattern is found anywhere in the text. Takes time in proportion to the text; `spend` is told the steps as
	 * they are taken, and may throw to end it.
	 */
	isFoundIn(text: string, spend?: (steps: number) => void): boolean;
};

const MAX_CHARACTERS = 1_000;
const MAX_STATES = 10_000;

type CharTest = (char: string) => boolean;
type Assertion = "start" | "end" | "boundary" | "no_boundary";
type Node =
	| { kind: "char"; test: CharTest }
	| { kind: "assertion"; assertion: Assertion }
	| { kind: "all" | "any"; nodes: Node[] }
	| { kind: "repeat"; node: Node; min: number; max: number };
type State =
	| { kind: "char"; test: CharTest; next: number }
	| { kind: "assertion"; assertion: Assertion; next: number }
	| { kind: "split"; next: number; other: number }
	| { kind: "found" };

/**
 * A regular expression of ECMAScript, flag `u`, that takes time in proportion to the text, whoever wrote it: all its ways
 * are followed at once (Thompson 1968), none is tried again. It cannot hold look-around and back references; what it can
 * hold is the dialect that JSON Schema recommends (core, section 6.4) and more. The engine for it that was looked at, RE2
 * in JavaScript, is 45 kB of a worker's 300.
 * @throws PatternError
 */
export function linearPattern(source: string): LinearPattern {
	if (source.length > MAX_CHARACTERS) throw new PatternError(`Longer than ${MAX_CHARACTERS} characters`);
	if (!isRegExp(source)) throw new PatternError("Not a regular expression");
	const { states, start } = compile(parse(source));
	return { isFoundIn: (text, spend) => run(states, start, text, spend) };
}

/** Those parts of the grammar that stand for one character, at the place of matching. What they mean is left to RegExp. */
const ESCAPED_CHARACTER =
	/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.|[^1-9k])/suy;
const CLASS = /\[(?:\\.|[^\]\\])*\]/suy;
const GROUP = /\((?:\?:|\?<[^=!][^>]*>|(?!\?))/suy;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/suy;
const ASSERTIONS: Readonly<Record<string, Assertion>> = {
	"^": "start",
	$: "end",
	"\\b": "boundary",
	"\\B": "no_boundary",
};

/** Of a source that RegExp has accepted, so that only its structure is left to find. */
function parse(source: string): Node {
	let at = 0;
	const take = (form: RegExp): RegExpExecArray | undefined => {
		form.lastIndex = at;
		const match = form.exec(source) ?? undefined;
		if (match) at = form.lastIndex;
		return match;
	};
	const choice = (): Node => {
		const nodes = [sequence()];
		while (source[at] === "|") {
			at++;
			nodes.push(sequence());
		}
		return { kind: "any", nodes };
	};
	const sequence = (): Node => {
		const nodes: Node[] = [];
		while (at < source.length && source[at] !== "|" && source[at] !== ")") nodes.push(quantified());
		return { kind: "all", nodes };
	};
	const quantified = (): Node => {
		const node = single();
		const match = take(QUANTIFIER);
		return match ? { kind: "repeat", node, ...timesOf(match) } : node;
	};
	const single = (): Node => {
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
		if (source[at] === "(") throw new PatternError("Look-around is not supported");
		const char = take(CLASS) ?? take(ESCAPED_CHARACTER) ?? (source[at] === "\\" ? undefined : take(/./suy));
		if (!char) throw new PatternError("Back references are not supported");
		return { kind: "char", test: charTest(char[0]) };
	};
	return choice();
}

function timesOf([, sign, least, comma, most]: RegExpExecArray): { min: number; max: number } {
	if (sign !== undefined)
		return { min: sign === "+" ? 1 : 0, max: sign === "?" ? 1 : Number.POSITIVE_INFINITY };
	const min = Number(least);
	if (comma === "") return { min, max: min };
	return { min, max: most === "" ? Number.POSITIVE_INFINITY : Number(most) };
}

function compile(root: Node): { states: State[]; start: number } {
	const states: State[] = [];
	const add = (state: State): number => {
		if (states.length === MAX_STATES) throw new PatternError("Repeats too much");
		return states.push(state) - 1;
	};
	/** The state at which a node begins that goes on at `next`. */
	const begin = (node: Node, next: number): number => {
		switch (node.kind) {
			case "char":
			case "assertion":
				return add({ ...node, next });
			case "all":
				return node.nodes.reduceRight((after, each) => begin(each, after), next);
			case "any":
				return node.nodes
					.map((each) => begin(each, next))
					.reduceRight((other, first) => add({ kind: "split", next: first, other }));
			case "repeat":
				return beginRepeat(node, next);
		}
	};
	const beginRepeat = ({ node, min, max }: Extract<Node, { kind: "repeat" }>, next: number): number => {
		const copies = (count: number, each: (after: number) => number, after: number): number => {
			let start = after;
			for (let copy = 0; copy < count; copy++) {
				const before = states.length;
				start = each(start);
				// A node without any state stays so, however often it is repeated.
				if (states.length === before) break;
			}
			return start;
		};
		let tail = next;
		if (max === Number.POSITIVE_INFINITY) {
			const loop: State = { kind: "split", next, other: next };
			tail = add(loop);
			loop.next = begin(node, tail);
		} else
			tail = copies(
				max - min,
				(after) => add({ kind: "split", next: begin(node, after), other: next }),
				next,
			);
		return copies(min, (after) => begin(node, after), tail);
	};
	const found = add({ kind: "found" });
	return { start: begin(root, found), states };
}

function run(states: State[], start: number, text: string, spend?: (steps: number) => void): boolean {
	const chars = Array.from(text);
	const isWordAt = (at: number): boolean => /^\w$/.test(chars[at] ?? "");
	const isAsserted = (assertion: Assertion, at: number): boolean => {
		if (assertion === "start") return at === 0;
		if (assertion === "end") return at === chars.length;
		return (isWordAt(at - 1) !== isWordAt(at)) === (assertion === "boundary");
	};
	/** At which place a state was reached last, so that none is entered twice there. */
	const reachedAt = new Int32Array(states.length).fill(-1);
	let reached: number[] = [];
	for (let at = 0; at <= chars.length; at++) {
		const entered: { test: CharTest; next: number }[] = [];
		// It may begin at every place.
		const stack = [...reached, start];
		for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
			if (reachedAt[index] === at) continue;
			reachedAt[index] = at;
			const state = states[index];
			if (state?.kind === "found") return true;
			if (state?.kind === "char") entered.push(state);
			else if (state?.kind === "split") stack.push(state.next, state.other);
			else if (state?.kind === "assertion" && isAsserted(state.assertion, at)) stack.push(state.next);
		}
		spend?.(1 + entered.length + reached.length);
		const char = chars[at];
		reached = char === undefined ? [] : entered.filter(({ test }) => test(char)).map(({ next }) => next);
	}
	return false;
}

/** What a part of the source means for one character; RegExp is asked once for each of ASCII. */
function charTest(source: string): CharTest {
	const form = new RegExp(`^${source}$`, "u");
	const known = new Map<string, boolean>();
	return (char) => {
		const answer = known.get(char) ?? form.test(char);
		if (char < "\x80") known.set(char, answer);
		return answer;
	};
}

function isRegExp(source: string): boolean {
	try {
		return new RegExp(source, "u") instanceof RegExp;
	} catch {
		return false;
	}
}

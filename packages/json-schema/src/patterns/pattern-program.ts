import { type Assertion, PatternError, type PatternNode, parsePattern } from "./pattern-syntax.ts";

/** A state of a nondeterministic automaton. `next` and `other` are indexes of states, `charClass` one of `classes`. */
export type State =
	| { kind: "char"; charClass: number; next: number }
	| { kind: "assertion"; assertion: Assertion; next: number }
	| { kind: "split"; next: number; other: number }
	| { kind: "found" };

export type Program = {
	states: State[];
	start: number;
	/** Sources of the parts that stand for one character, each once. */
	classes: string[];
};

const MAX_STATES = 10_000;

/**
 * Compiles a regular expression to a nondeterministic automaton (Thompson 1968).
 * @throws PatternError as `parsePattern`, and above 10,000 states.
 */
export function compileProgram(source: string): Program {
	const states: State[] = [];
	const classes = new Map<string, number>();
	const add = (state: State): number => {
		if (states.length === MAX_STATES)
			throw new PatternError(`Must repeat less: it compiles to more than ${MAX_STATES} states`);
		return states.push(state) - 1;
	};
	const classOf = (charSource: string): number => {
		const known = classes.get(charSource) ?? classes.size;
		classes.set(charSource, known);
		return known;
	};
	/** Returns the state at which a node begins that continues at `next`. */
	const begin = (node: PatternNode, next: number): number => {
		switch (node.kind) {
			case "char":
				return add({ kind: "char", charClass: classOf(node.source), next });
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
	const beginRepeat = (
		{ node, min, max }: Extract<PatternNode, { kind: "repeat" }>,
		next: number,
	): number => {
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
	const root = parsePattern(source);
	const start = begin(root, add({ kind: "found" }));
	return { states, start, classes: [...classes.keys()] };
}

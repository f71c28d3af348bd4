import type { Budget } from "../budget.ts";
import type { CharClass, CharClasses } from "./char-class.ts";
import { compileProgram, type State } from "./pattern-program.ts";
import type { Assertion } from "./pattern-syntax.ts";

/** Kind of the character before or after a position. `none` is the text's start or end. */
type Side = "none" | "word" | "other";

/** Characters that no class of the pattern tells apart. */
type Symbol = { side: Side; isInClass: boolean[]; index: number };

/** States of the program that are reached together, and what stands before them. */
type StateSet = { indexes: number[]; before: Side; next: (StateSet | "found")[]; isFoundAtEnd?: boolean };

/** State indexes that may be cached; past them the cache starts again. */
const MAX_CACHED_INDEXES = 100_000;
const MAX_CACHED_CHARACTERS = 10_000;
// Steps, as measured: see the README.
const CHARACTERS_PER_STEP = 4;
const STEPS_PER_TEXT = 4;
const STEPS_PER_NEW_SET = 20;
const STEPS_PER_STATE = 2;
const STEPS_PER_NEW_CHARACTER = 20;
const STEPS_PER_CLASS = 2;

/**
 * A regular expression that is matched in time proportional to the text, whoever wrote it. All its paths are followed at
 * once, and each set of states that was reached is cached as one state of a deterministic automaton.
 */
export class Pattern {
	readonly source: string;
	readonly #states: State[];
	readonly #start: number;
	readonly #classes: CharClass[];
	readonly #symbols = new Map<number, Symbol>();
	readonly #asciiSymbols: Symbol[] = [];
	readonly #symbolsByClasses = new Map<string, Symbol>();
	readonly #sets = new Map<string, StateSet>();
	readonly #first: StateSet = { indexes: [], before: "none", next: [] };
	/** The place at which each state was entered last. */
	readonly #enteredAt: Int32Array;
	#place = 0;
	#cachedIndexes = 0;

	/**
	 * @param charClasses the classes of patterns that are used together.
	 * @throws PatternError for a regular expression of another dialect, or one that is too large.
	 */
	constructor(source: string, charClasses: CharClasses) {
		const { states, start, classes } = compileProgram(source);
		this.source = source;
		this.#states = states;
		this.#start = start;
		this.#classes = classes.map((each) => charClasses.get(each));
		this.#enteredAt = new Int32Array(states.length).fill(-1);
	}

	/** Number of states of its automaton: compiling took time proportional to it. */
	get size(): number {
		return this.#states.length;
	}

	/**
	 * Returns whether the pattern is found anywhere in the text.
	 * @throws BudgetExceeded
	 */
	isFoundIn(text: string, budget: Budget): boolean {
		budget.spend(STEPS_PER_TEXT + text.length / CHARACTERS_PER_STEP);
		let set = this.#first;
		for (let at = 0; at < text.length; at++) {
			const code = text.codePointAt(at) ?? 0;
			if (code > 0xffff) at++;
			const symbol = this.#asciiSymbols[code] ?? this.#symbols.get(code) ?? this.#symbolOf(code, budget);
			const next = set.next[symbol.index] ?? this.#advance(set, symbol, budget);
			if (next === "found") return true;
			set = next;
		}
		set.isFoundAtEnd ??= this.#enter(set, "none", budget) === "found";
		return set.isFoundAtEnd;
	}

	#advance(set: StateSet, symbol: Symbol, budget: Budget): StateSet | "found" {
		const entered = this.#enter(set, symbol.side, budget);
		const next =
			entered === "found"
				? entered
				: this.#intern(
						entered.filter(({ charClass }) => symbol.isInClass[charClass]).map((state) => state.next),
						symbol.side,
					);
		set.next[symbol.index] = next;
		return next;
	}

	/** Returns the states of a set that wait for a character, or that the pattern is found. */
	#enter({ indexes, before }: StateSet, after: Side, budget: Budget) {
		const place = this.#place++;
		const entered: Extract<State, { kind: "char" }>[] = [];
		// The pattern may begin at every place.
		const stack = [...indexes, this.#start];
		let visited = 0;
		for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
			visited++;
			if (this.#enteredAt[index] === place) continue;
			this.#enteredAt[index] = place;
			const state = this.#states[index];
			if (state?.kind === "found") return "found";
			if (state?.kind === "char") entered.push(state);
			else if (state?.kind === "split") stack.push(state.next, state.other);
			else if (state?.kind === "assertion" && isAsserted(state.assertion, before, after))
				stack.push(state.next);
		}
		budget.spend(STEPS_PER_NEW_SET + visited * STEPS_PER_STATE);
		return entered;
	}

	#intern(reached: number[], before: Side): StateSet {
		const indexes = [...new Set(reached)].sort((a, b) => a - b);
		const key = `${before} ${indexes.join(" ")}`;
		const known = this.#sets.get(key);
		if (known) return known;
		this.#cachedIndexes += indexes.length + 1;
		if (this.#cachedIndexes > MAX_CACHED_INDEXES) {
			this.#sets.clear();
			this.#cachedIndexes = 0;
		}
		const set: StateSet = { indexes, before, next: [] };
		this.#sets.set(key, set);
		return set;
	}

	#symbolOf(code: number, budget: Budget): Symbol {
		budget.spend(STEPS_PER_NEW_CHARACTER + this.#classes.length * STEPS_PER_CLASS);
		const char = String.fromCodePoint(code);
		const side = /^\w$/.test(char) ? "word" : "other";
		const isInClass = this.#classes.map((each) => each.holds(char, budget));
		const key = side + isInClass.map(Number).join("");
		const symbol = this.#symbolsByClasses.get(key) ?? { side, isInClass, index: this.#symbolsByClasses.size };
		this.#symbolsByClasses.set(key, symbol);
		if (this.#symbols.size === MAX_CACHED_CHARACTERS) this.#symbols.clear();
		if (code < 128) this.#asciiSymbols[code] = symbol;
		else this.#symbols.set(code, symbol);
		return symbol;
	}
}

function isAsserted(assertion: Assertion, before: Side, after: Side): boolean {
	if (assertion === "start") return before === "none";
	if (assertion === "end") return after === "none";
	return ((before === "word") !== (after === "word")) === (assertion === "boundary");
}

import type { Budget } from "../budget.ts";
import { countUnicodeProperties } from "./pattern-syntax.ts";

// Steps, as measured. RegExp takes long to compile a large class, or one of a Unicode property.
const STEPS_PER_FORM = 200;
const STEPS_PER_CHARACTER = 25;
const STEPS_PER_UNICODE_PROPERTY = 20_000;

/** A part of a pattern that stands for one character. RegExp decides which: it is asked about one character at a time. */
export class CharClass {
	readonly #source: string;
	#form: RegExp | undefined;

	constructor(source: string) {
		this.#source = source;
	}

	/** @throws BudgetExceeded */
	holds(char: string, budget: Budget): boolean {
		if (!this.#form) {
			budget.spend(STEPS_PER_FORM + this.#source.length * STEPS_PER_CHARACTER);
			budget.spend(countUnicodeProperties(this.#source) * STEPS_PER_UNICODE_PROPERTY);
			this.#form = new RegExp(`^${this.#source}$`, "u");
		}
		return this.#form.test(char);
	}
}

/** Classes by their source, so that patterns that are used together share them. */
export class CharClasses {
	readonly #known = new Map<string, CharClass>();

	get(source: string): CharClass {
		const charClass = this.#known.get(source) ?? new CharClass(source);
		this.#known.set(source, charClass);
		return charClass;
	}
}

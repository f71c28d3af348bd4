import { format } from "@cfworker/json-schema";
import { LINEAR_FORMATS } from "@parley/contracts/linear-formats";
import { BadSchema } from "./bad-schema.ts";
import type { Budget } from "./budget.ts";
import { linearPattern } from "./patterns.ts";

/** What a text must be like. `cost` is the steps of finding out. */
type TextRule = { matches(text: string): boolean; cost(text: string): number };

/** Instructions of all patterns of one schema together: about a fifth of a second to compile. */
const MAX_PATTERNS_SIZE = 50_000;

/**
 * The keywords that look at every character of a text, as formats of the validator's: it knows those by name only, and
 * they alone can be given a price.
 */
export class TextRules {
	#budget: Budget;
	#rules = new Map<string, TextRule>();
	#patternsSize = 0;

	constructor(budget: Budget) {
		this.#budget = budget;
	}

	/**
	 * Names of the formats that stand for these keywords of a schema.
	 * @throws BadSchema for a pattern that cannot be used
	 */
	of({ minLength, maxLength, format: known, pattern }: Record<string, unknown>): string[] {
		const names: string[] = [];
		const add = (name: string, rule: () => TextRule) => {
			if (!this.#rules.has(name)) this.#rules.set(name, rule());
			names.push(name);
		};
		if (typeof minLength === "number") add(`minLength ${minLength}`, () => lengthRule((n) => n >= minLength));
		if (typeof maxLength === "number") add(`maxLength ${maxLength}`, () => lengthRule((n) => n <= maxLength));
		if (typeof known === "string" && LINEAR_FORMATS.has(known))
			add(`format ${known}`, () => formatRule(known));
		if (typeof pattern === "string") add(`pattern ${pattern}`, () => this.#patternRule(pattern));
		return names;
	}

	#patternRule(pattern: string): TextRule {
		const rule = linearPattern(pattern);
		this.#patternsSize += rule.size;
		if (this.#patternsSize > MAX_PATTERNS_SIZE) throw new BadSchema("the patterns are too large together");
		return rule;
	}

	/** Runs a validation while the validator knows the rules. */
	during<T>(work: () => T): T {
		for (const [name, rule] of this.#rules) {
			format[name] = (text: string) => {
				this.#budget.spend(rule.cost(text));
				return rule.matches(text);
			};
		}
		try {
			return work();
		} finally {
			for (const name of this.#rules.keys()) delete format[name];
		}
	}
}

/** What a text that breaks a rule does, such as `is shorter than 3 characters`. */
export function ruleBroken(name: string): string {
	const [, keyword, rest] = /^(\w+) (.*)$/s.exec(name) ?? [];
	switch (keyword) {
		case "minLength":
			return `is shorter than ${rest} characters`;
		case "maxLength":
			return `is longer than ${rest} characters`;
		case "pattern":
			return "does not match the pattern";
		default:
			return `does not match format "${rest}"`;
	}
}

/** JSON Schema counts characters, not halves of surrogate pairs. */
function lengthRule(fits: (length: number) => boolean): TextRule {
	return {
		matches: (text) => fits(text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)),
		cost: (text) => text.length >> 8,
	};
}

function formatRule(name: string): TextRule {
	const check = format[name] as (text: string) => boolean;
	return { matches: check, cost: (text) => text.length >> 4 };
}

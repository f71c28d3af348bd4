import { dereference, format, type Schema, validate } from "@cfworker/json-schema";
import type { FieldError } from "@parley/contracts/api-error";
import { BadSchema } from "./bad-schema.ts";
import { fieldErrors } from "./field-errors.ts";
import { type LinearPattern, linearPattern } from "./patterns.ts";

// Visits of one (sub)schema, and of the larger share of an enum or a pattern, that one check may cost: about half a second.
const MAX_STEPS = 500_000;
const MAX_STEPS_FOR_DETAILS = 20_000;
const MAX_UNIQUE_ITEMS = 1_000;
// Formats whose check takes time in proportion to the text; others are annotations.
const CHECKED_FORMATS = new Set(
	["date", "time", "date-time", "duration", "uuid", "email", "hostname", "ipv4", "ipv6", "uri"].concat([
		"uri-reference",
		"json-pointer",
		"relative-json-pointer",
	]),
);
const NAMED = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
const DATA = new Set(["enum", "const", "default", "examples"]);

class TooManySteps extends Error {}

class Budget {
	#left = 0;
	reset(steps: number) {
		this.#left = steps;
	}
	spend(steps: number) {
		this.#left -= steps;
		if (this.#left < 0) throw new TooManySteps();
	}
}

/** What is wrong with a value, path and message each; empty when it fits. */
export type Check = (value: unknown) => FieldError[];

/**
 * A check of values against a JSON Schema 2020-12 that a stranger wrote, with bounded cost: patterns run in linear time
 * and the number of steps is limited. Lists of unique items hold 1,000 at most.
 * @throws BadSchema here or at the first check
 */
export function compileCheck(schema: Record<string, unknown>): Check {
	const guard = new Guard();
	const guarded = guard.copy(schema) as Schema;
	const lookup = dereference(guarded);
	const attempt = (value: unknown, steps: number, stopAtFirst: boolean) => {
		guard.budget.reset(steps);
		return guard.withPatterns(() => validate(value, guarded, "2020-12", lookup, stopAtFirst));
	};
	return (value) => {
		try {
			const { valid, errors } = attempt(value, MAX_STEPS, true);
			return valid
				? []
				: fieldErrors(allErrors(() => attempt(value, MAX_STEPS_FOR_DETAILS, false).errors) ?? errors);
		} catch (error) {
			if (error instanceof TooManySteps || error instanceof RangeError)
				return [{ path: "", message: "is too large or too deep to be checked" }];
			if (error instanceof URIError) return [{ path: "", message: "holds a name that is not valid Unicode" }];
			throw new BadSchema(error instanceof Error ? error.message : String(error));
		}
	};
}

/** A copy of a schema in which every visit is counted and every pattern and format is one that ends. */
class Guard {
	readonly budget = new Budget();
	#patterns = new Map<string, LinearPattern>();

	copy(node: unknown): unknown {
		if (typeof node !== "object" || node === null) return node;
		if (Array.isArray(node)) return node.map((item) => this.copy(item));
		const source = node as Record<string, unknown>;
		if (source.patternProperties !== undefined) throw new BadSchema("patternProperties is not supported");
		const copy: Record<string, unknown> = {};
		for (const [key, value] of Object.entries(source)) {
			if (key === "type" || key === "pattern" || key === "format") continue;
			if (NAMED.has(key) && typeof value === "object" && value !== null)
				copy[key] = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.copy(item)]));
			else copy[key] = DATA.has(key) ? value : this.copy(value);
		}
		if (typeof source.format === "string" && CHECKED_FORMATS.has(source.format)) copy.format = source.format;
		if (typeof source.pattern === "string") this.#addPattern(copy, source.pattern);
		if (source.uniqueItems === true)
			copy.maxItems = Math.min(MAX_UNIQUE_ITEMS, Number(source.maxItems ?? MAX_UNIQUE_ITEMS));
		this.#count(copy, source);
		return copy;
	}

	/** Runs a validation while the validator knows the patterns; it knows formats by name only. */
	withPatterns<T>(work: () => T): T {
		for (const [name, pattern] of this.#patterns) {
			format[name] = (text: string) => {
				this.budget.spend(pattern.cost(text));
				return pattern.matches(text);
			};
		}
		try {
			return work();
		} finally {
			for (const name of this.#patterns.keys()) delete format[name];
		}
	}

	#addPattern(copy: Record<string, unknown>, pattern: string) {
		const name = `pattern ${pattern}`;
		this.#patterns.set(name, linearPattern(pattern));
		if (copy.format === undefined) copy.format = name;
		else copy.allOf = [...((copy.allOf as unknown[] | undefined) ?? []), { format: name }];
	}

	#count(copy: Record<string, unknown>, source: Record<string, unknown>) {
		const cost = 1 + (JSON.stringify([source.enum, source.const]).length >> 4);
		// The validator reads `type` once on every visit.
		Object.defineProperty(copy, "type", {
			enumerable: true,
			get: () => {
				this.budget.spend(cost);
				return source.type;
			},
		});
	}
}

function allErrors<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}

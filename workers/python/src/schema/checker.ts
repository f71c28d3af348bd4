import { dereference, type Schema, validate } from "@cfworker/json-schema";
import type { FieldError } from "@parley/contracts/api-error";
import { BadSchema } from "./bad-schema.ts";
import { Budget, TooManySteps } from "./budget.ts";
import { fieldErrors } from "./field-errors.ts";
import { metered } from "./metered.ts";
import { TextRules } from "./text-rules.ts";

// What one check may cost: about half a second.
const MAX_STEPS = 500_000;
const MAX_STEPS_FOR_DETAILS = 20_000;
const MAX_UNIQUE_ITEMS = 1_000;
// A visit pays for so many members of a value without looking.
const FREE_MEMBERS = 16;
// Each missing name is an error of its own, which takes memory besides time.
const STEPS_A_NAME = 4;
const NAMED = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
const DATA = new Set(["enum", "const", "default", "examples"]);
// Read through getters, or turned into rules.
const REPLACED = new Set(["type", "pattern", "format", "minLength", "maxLength"]);

/** What is wrong with a value, path and message each; empty when it fits. */
export type Check = (value: unknown) => FieldError[];

/**
 * A check of values against a JSON Schema 2020-12 that a stranger wrote, with bounded cost: patterns run in linear time,
 * and all that grows with the schema or the value is counted. Lists of unique items hold 1,000 at most, and fewer large ones.
 * @throws BadSchema here or at the first check
 */
export function compileCheck(schema: Record<string, unknown>): Check {
	const budget = new Budget();
	const guard = new Guard(budget);
	const guarded = guard.copy(schema) as Schema;
	const lookup = dereference(guarded);
	const attempt = (value: unknown, steps: number, stopAtFirst: boolean) => {
		budget.reset(steps);
		return guard.rules.during(() => validate(value, guarded, "2020-12", lookup, stopAtFirst));
	};
	return (plain) => {
		try {
			const value = metered(plain, budget, guard.comparesItems ? 0 : FREE_MEMBERS);
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

/** Makes a copy of a schema in which every visit is counted and every pattern and format is one that ends. */
class Guard {
	readonly rules: TextRules;
	/** Whether some list is of unique items, each of which is compared with all others. */
	comparesItems = false;
	#budget: Budget;

	constructor(budget: Budget) {
		this.#budget = budget;
		this.rules = new TextRules(budget);
	}

	copy(node: unknown): unknown {
		if (typeof node !== "object" || node === null) return node;
		if (Array.isArray(node)) return node.map((item) => this.copy(item));
		const source = node as Record<string, unknown>;
		if (source.patternProperties !== undefined) throw new BadSchema("patternProperties is not supported");
		const copy: Record<string, unknown> = {};
		for (const [key, value] of Object.entries(source)) {
			if (REPLACED.has(key)) continue;
			if (NAMED.has(key) && typeof value === "object" && value !== null)
				copy[key] = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.copy(item)]));
			else copy[key] = DATA.has(key) ? value : this.copy(value);
		}
		this.#addRules(copy, this.rules.of(source));
		if (source.uniqueItems === true) {
			this.comparesItems = true;
			copy.maxItems = Math.min(MAX_UNIQUE_ITEMS, Number(source.maxItems ?? MAX_UNIQUE_ITEMS));
		}
		this.#count(copy, source);
		return copy;
	}

	/** A schema has one format only; further ones are schemas beside it. */
	#addRules(copy: Record<string, unknown>, [first, ...more]: string[]) {
		if (first === undefined) return;
		copy.format = first;
		if (more.length === 0) return;
		const others = Array.isArray(copy.allOf) ? (copy.allOf as unknown[]) : [];
		copy.allOf = [...others, ...more.map((format) => ({ format }))];
	}

	#count(copy: Record<string, unknown>, source: Record<string, unknown>) {
		const cost = costOf(source);
		// The validator reads `type` once on every visit.
		Object.defineProperty(copy, "type", {
			enumerable: true,
			get: () => {
				this.#budget.spend(cost);
				return source.type;
			},
		});
	}
}

/** Steps of one visit of a schema, by the lists that the validator goes through then. */
function costOf(schema: Record<string, unknown>): number {
	const { type, required, dependentRequired, properties, dependentSchemas } = schema;
	const names = sizeOf(required) + Object.values(dependentRequired ?? {}).reduce(addSize, 0);
	const entries = [type, dependentRequired, properties, dependentSchemas].reduce(addSize, 0);
	const literals = JSON.stringify([schema.enum, schema.const]).length;
	return 1 + names * STEPS_A_NAME + ((entries + literals) >> 4);
}

const addSize = (sum: number, list: unknown): number => sum + sizeOf(list);
const sizeOf = (list: unknown): number =>
	typeof list === "object" && list !== null ? Object.keys(list).length : 0;

function allErrors<T>(work: () => T): T | undefined {
	try {
		return work();
	} catch {
		return undefined;
	}
}

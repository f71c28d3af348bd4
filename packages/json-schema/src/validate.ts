import { Budget, BudgetExceeded, tooDeep } from "./budget.ts";
import type { Check, CheckBuilder, Evaluator, FoundIssue, Place } from "./check.ts";
import * as arrays from "./checks/arrays.ts";
import * as combinations from "./checks/combinations.ts";
import * as numbers from "./checks/numbers.ts";
import * as objects from "./checks/objects.ts";
import * as texts from "./checks/texts.ts";
import * as values from "./checks/values.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { resolvePointer } from "./json-pointer.ts";
import { KEYWORDS } from "./keywords.ts";
import { CharClasses } from "./patterns/char-class.ts";
import { Pattern } from "./patterns/pattern.ts";
import { countUnicodeProperties, PatternError } from "./patterns/pattern-syntax.ts";
import { Seen } from "./seen.ts";
import { mustBeType } from "./wording.ts";

/** One reason why a value does not match a schema. `path` leads to the place from the root of the value. */
export type Issue = { path: string[]; message: string };

/** Thrown for a schema that `findSchemaIssues` rejects. The message is public: it follows the schema's name. */
export class SchemaError extends Error {
	override readonly name = "SchemaError";
}

/** Issues that one validation reports at most. */
export const MAX_ISSUES = 100;
/** Schemas within schemas that are entered at once. The stack has room for twice as many. */
const MAX_DEPTH = 700;
// Steps of what is done once for each schema and pattern, as measured: see the README.
const STEPS_PER_SCHEMA = 20;
const STEPS_PER_KEYWORD = 10;
const STEPS_PER_PATTERN = 100;
const STEPS_PER_PATTERN_STATE = 6;
const STEPS_PER_UNICODE_PROPERTY = 3_000;
const STEPS_PER_EXPLANATION = 4;

const BUILDERS: ReadonlyMap<string, CheckBuilder> = new Map([
	["enum", values.enumCheck],
	["const", values.constCheck],
	["multipleOf", numbers.multipleOfCheck],
	["maximum", numbers.maximumCheck],
	["exclusiveMaximum", numbers.exclusiveMaximumCheck],
	["minimum", numbers.minimumCheck],
	["exclusiveMinimum", numbers.exclusiveMinimumCheck],
	["maxLength", texts.maxLengthCheck],
	["minLength", texts.minLengthCheck],
	["pattern", texts.patternCheck],
	["format", texts.formatCheck],
	["maxItems", arrays.maxItemsCheck],
	["minItems", arrays.minItemsCheck],
	["uniqueItems", arrays.uniqueItemsCheck],
	["prefixItems", arrays.itemsCheck],
	["items", arrays.itemsCheck],
	["contains", arrays.containsCheck],
	["maxProperties", objects.maxPropertiesCheck],
	["minProperties", objects.minPropertiesCheck],
	["required", objects.requiredCheck],
	["dependentRequired", objects.dependentRequiredCheck],
	["propertyNames", objects.propertyNamesCheck],
	["properties", objects.propertiesCheck],
	["patternProperties", objects.propertiesCheck],
	["additionalProperties", objects.propertiesCheck],
	["dependentSchemas", objects.dependentSchemasCheck],
	["$ref", combinations.refCheck],
	["allOf", combinations.allOfCheck],
	["anyOf", combinations.anyOfCheck],
	["oneOf", combinations.oneOfCheck],
	["not", combinations.notCheck],
	["if", combinations.conditionCheck],
]);

/** These look at what all other keywords of their schema have seen. */
const LAST_BUILDERS: ReadonlyMap<string, CheckBuilder> = new Map([
	["unevaluatedItems", arrays.unevaluatedItemsCheck],
	["unevaluatedProperties", objects.unevaluatedPropertiesCheck],
]);

/**
 * Validates a JSON value against a JSON Schema 2020-12. Returns the first 100 issues, or none for a value that matches.
 * Messages quote the schema, never the value.
 * @throws BudgetExceeded with the place where the check stopped, if it has found no issue until then; SchemaError
 */
export function validate(schema: object, value: unknown, budget = new Budget()): Issue[] {
	const evaluation = new Evaluation(schema, budget);
	try {
		evaluation.matches(schema, value, undefined);
	} catch (error) {
		// The caller may have left less stack than usual.
		const exceeded = error instanceof RangeError ? tooDeep() : error;
		if (!(exceeded instanceof BudgetExceeded)) throw exceeded;
		exceeded.path = pathOf(evaluation.place);
		if (evaluation.issues.length === 0) throw exceeded;
	}
	return evaluation.issues.map(({ place, message }) => ({ path: pathOf(place), message }));
}

type Prepared = { types: string[] | undefined; checks: Check[]; cost: number; tracksSeen: boolean };

class Evaluation implements Evaluator {
	readonly budget: Budget;
	issues: FoundIssue[] = [];
	/** The value that is being checked. */
	place: Place;
	isQuiet = false;
	#depth = 0;
	readonly #root: object;
	readonly #prepared = new Map<JsonObject, Prepared>();
	readonly #patterns = new Map<string, Pattern>();
	readonly #charClasses = new CharClasses();

	constructor(root: object, budget: Budget) {
		this.#root = root;
		this.budget = budget;
	}

	get wantsMore(): boolean {
		return !this.isQuiet && this.issues.length < MAX_ISSUES;
	}

	matches(schema: unknown, value: unknown, place: Place, seen?: Seen): boolean {
		this.place = place;
		this.budget.spend(1);
		if (typeof schema === "boolean")
			return schema || this.report({ place, message: "Must not be present", isType: false });
		if (!isJsonObject(schema)) throw new SchemaError("holds something else where a schema must be");
		const { types, checks, cost, tracksSeen } = this.#prepared.get(schema) ?? this.#prepare(schema);
		this.budget.spend(cost);
		if (types && !types.some((type) => isOfType(type, value)))
			return this.report({ place, message: mustBeType(types), isType: true });
		if (++this.#depth > MAX_DEPTH) throw tooDeep();
		const own = tracksSeen ? new Seen() : seen;
		let isValid = true;
		for (const check of checks) {
			this.place = place;
			if (check(value, place, own)) continue;
			isValid = false;
			if (!this.wantsMore) break;
		}
		this.#depth--;
		if (isValid && seen && own && own !== seen) seen.merge(own, this.budget);
		return isValid;
	}

	matchesQuietly(schema: unknown, value: unknown, place: Place, seen?: Seen): boolean {
		const wasQuiet = this.isQuiet;
		this.isQuiet = true;
		try {
			return this.matches(schema, value, place, seen);
		} finally {
			this.isQuiet = wasQuiet;
		}
	}

	issuesOf(schema: unknown, value: unknown, place: Place): FoundIssue[] {
		this.budget.spend(STEPS_PER_EXPLANATION);
		const outer = this.issues;
		this.issues = [];
		try {
			this.matches(schema, value, place);
			return this.issues;
		} finally {
			this.issues = outer;
		}
	}

	report(...issues: FoundIssue[]): false {
		if (!this.isQuiet) this.issues.push(...issues.slice(0, MAX_ISSUES - this.issues.length));
		return false;
	}

	pattern(source: string): Pattern {
		const known = this.#patterns.get(source);
		if (known) return known;
		try {
			this.budget.spend(countUnicodeProperties(source) * STEPS_PER_UNICODE_PROPERTY);
			const pattern = new Pattern(source, this.#charClasses);
			this.budget.spend(STEPS_PER_PATTERN + pattern.size * STEPS_PER_PATTERN_STATE);
			this.#patterns.set(source, pattern);
			return pattern;
		} catch (error) {
			if (!(error instanceof PatternError)) throw error;
			throw new SchemaError(`has a pattern that cannot be used. ${error.message}`);
		}
	}

	target(ref: string): unknown {
		return resolvePointer(this.#root, ref);
	}

	#prepare(schema: JsonObject): Prepared {
		const keywords = Object.keys(schema);
		this.budget.spend(STEPS_PER_SCHEMA + keywords.length * STEPS_PER_KEYWORD);
		for (const keyword of keywords) {
			const issue = KEYWORDS.get(keyword)?.issue?.(schema[keyword]);
			if (issue !== undefined) throw new SchemaError(`has a wrong ${keyword}. ${issue}`);
		}
		const found = (builders: ReadonlyMap<string, CheckBuilder>) =>
			keywords.map((keyword) => builders.get(keyword)).filter((builder) => builder !== undefined);
		const last = found(LAST_BUILDERS);
		const builders = new Set([...found(BUILDERS), ...last]);
		const checks = [...builders].map((build) => build(schema, this));
		const types = schema.type === undefined ? undefined : ([schema.type].flat() as string[]);
		const cost = checks.length + (types?.length ?? 0);
		const prepared = { types, checks, cost, tracksSeen: last.length > 0 };
		this.#prepared.set(schema, prepared);
		return prepared;
	}
}

function isOfType(type: string, value: unknown): boolean {
	switch (type) {
		case "null":
			return value === null;
		case "array":
			return Array.isArray(value);
		case "object":
			return isJsonObject(value);
		case "integer":
			return Number.isInteger(value);
		default:
			return typeof value === type;
	}
}

function pathOf(place: Place): string[] {
	const path: string[] = [];
	for (let at = place; at; at = at.parent) path.unshift(at.key);
	return path;
}

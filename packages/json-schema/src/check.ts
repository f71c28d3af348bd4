import type { Budget } from "./budget.ts";
import type { JsonObject } from "./json.ts";
import type { Pattern } from "./patterns/pattern.ts";
import type { Seen } from "./seen.ts";

/** Location of a value within the validated value; undefined for the validated value itself. */
export type Place = { parent: Place | undefined; key: string } | undefined;

/** `isType` marks a value whose JSON type is wrong. */
export type FoundIssue = { place: Place; message: string; isType: boolean };

/** Applies schemas to values, for checks of keywords that hold schemas. */
export interface Evaluator {
	readonly budget: Budget;
	/** Whether only the result counts, so that a check may return at the first issue. */
	readonly isQuiet: boolean;
	/** Whether a check that has found an issue must go on to find more. */
	readonly wantsMore: boolean;
	/** Returns whether a value matches a schema. `seen` collects the members and items that the schema applied to. */
	matches(schema: unknown, value: unknown, place: Place, seen?: Seen): boolean;
	/** Returns whether a value matches a schema, without reporting issues. */
	matchesQuietly(schema: unknown, value: unknown, place: Place, seen?: Seen): boolean;
	/** Returns what `matches` reports. */
	issuesOf(schema: unknown, value: unknown, place: Place): FoundIssue[];
	/** Adds issues of which at least one keeps the value from matching. Returns false. */
	report(...issues: FoundIssue[]): false;
	pattern(source: string): Pattern;
	/** Returns the schema that a local reference leads to. */
	target(ref: string): unknown;
}

/** Returns whether a value satisfies a keyword, and reports why not. */
export type Check = (value: unknown, place: Place, seen: Seen | undefined) => boolean;

/** Prepares the check of a keyword, given the schema that holds it. Keywords that act together share one builder. */
export type CheckBuilder = (schema: JsonObject, evaluator: Evaluator) => Check;

export const issueAt = (place: Place, message: string): FoundIssue => ({ place, message, isType: false });

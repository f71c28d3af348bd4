import { format as formats } from "@cfworker/json-schema";
import { type CheckBuilder, issueAt } from "../check.ts";
import { LINEAR_FORMATS } from "../formats.ts";
import { mustHaveAtLeast, mustHaveAtMost, mustHaveFormat, mustMatch } from "../wording.ts";

const COUNTED_CHARACTERS_PER_STEP = 64;

/** Checks `maxLength`. */
export const maxLengthCheck: CheckBuilder = ({ maxLength }, evaluator) => {
	const maximum = maxLength as number;
	return (value, place) => {
		if (typeof value !== "string" || value.length <= maximum) return true;
		evaluator.budget.spend(value.length / COUNTED_CHARACTERS_PER_STEP);
		return (
			lengthOf(value) <= maximum || evaluator.report(issueAt(place, mustHaveAtMost(maximum, "character")))
		);
	};
};

/** Checks `minLength`. */
export const minLengthCheck: CheckBuilder = ({ minLength }, evaluator) => {
	const minimum = minLength as number;
	return (value, place) => {
		if (typeof value !== "string" || value.length >= 2 * minimum) return true;
		evaluator.budget.spend(value.length / COUNTED_CHARACTERS_PER_STEP);
		return (
			lengthOf(value) >= minimum || evaluator.report(issueAt(place, mustHaveAtLeast(minimum, "character")))
		);
	};
};

/** Counts characters as JSON Schema does: a surrogate pair is one. */
const lengthOf = (text: string): number =>
	text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);

/** Checks `pattern`. */
export const patternCheck: CheckBuilder = (schema, evaluator) => {
	const source = schema.pattern as string;
	const pattern = evaluator.pattern(source);
	return (value, place) =>
		typeof value !== "string" ||
		pattern.isFoundIn(value, evaluator.budget) ||
		evaluator.report(issueAt(place, mustMatch(source)));
};

/** Checks `format`, if it is one of LINEAR_FORMATS. */
export const formatCheck: CheckBuilder = (schema, evaluator) => {
	const name = schema.format as string;
	const isValid = LINEAR_FORMATS.has(name) ? formats[name] : undefined;
	if (!isValid) return () => true;
	return (value, place) => {
		if (typeof value !== "string") return true;
		evaluator.budget.spend(1 + value.length);
		return isValid(value) || evaluator.report(issueAt(place, mustHaveFormat(name)));
	};
};

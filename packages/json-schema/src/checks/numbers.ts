import { type CheckBuilder, issueAt } from "../check.ts";

/** Relative error of the quotient of two decimals as doubles, such as 0.0075 / 0.0001. */
const TOLERANCE = 4 * Number.EPSILON;

const check =
	(keyword: string, isValid: (value: number, bound: number) => boolean, wording: string): CheckBuilder =>
	(schema, evaluator) => {
		const bound = schema[keyword] as number;
		return (value, place) =>
			typeof value !== "number" ||
			isValid(value, bound) ||
			evaluator.report(issueAt(place, `Must be ${wording} ${bound}`));
	};

export const maximumCheck = check("maximum", (value, bound) => value <= bound, "at most");
export const minimumCheck = check("minimum", (value, bound) => value >= bound, "at least");
export const exclusiveMaximumCheck = check("exclusiveMaximum", (value, bound) => value < bound, "less than");
export const exclusiveMinimumCheck = check("exclusiveMinimum", (value, bound) => value > bound, "more than");
export const multipleOfCheck = check("multipleOf", isMultiple, "a multiple of");

function isMultiple(value: number, divisor: number): boolean {
	const quotient = value / divisor;
	const isExact = Number.isInteger(value) && Number.isInteger(divisor);
	if (isExact || !Number.isFinite(quotient)) return value % divisor === 0;
	return Math.abs(quotient - Math.round(quotient)) <= Math.abs(quotient) * TOLERANCE;
}

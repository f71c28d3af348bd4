import { type Budget, tooDeep } from "./budget.ts";

const CHARACTERS_PER_STEP = 16;
const STEPS_PER_VALUE = 2;
const STEPS_PER_NUMBER = 10;
const STEPS_PER_MEMBER = 4;
/** A value that is nested deeper could exhaust the stack. */
const MAX_DEPTH = 500;

/**
 * Returns a key that is the same for equal JSON values, and for equal ones only. It is a text for numbers too, since V8
 * hashes numbers and texts of digits without a seed: somebody could choose a set of them that all collide.
 * @throws BudgetExceeded
 */
export function canonicalKey(value: unknown, budget: Budget): string {
	if (typeof value !== "string") return `=${canonicalText(value, budget)}`;
	budget.spend(STEPS_PER_VALUE + value.length / CHARACTERS_PER_STEP);
	return `"${value}`;
}

function canonicalText(value: unknown, budget: Budget, depth = 0): string {
	if (typeof value === "string") {
		budget.spend(STEPS_PER_VALUE + value.length / CHARACTERS_PER_STEP);
		return JSON.stringify(value);
	}
	budget.spend(typeof value === "number" ? STEPS_PER_NUMBER : STEPS_PER_VALUE);
	if (typeof value !== "object" || value === null) return String(value);
	if (depth === MAX_DEPTH) throw tooDeep();
	if (Array.isArray(value))
		return `[${value.map((item: unknown) => canonicalText(item, budget, depth + 1)).join(",")}]`;
	const names = Object.keys(value);
	budget.spend(names.length * STEPS_PER_MEMBER);
	const members = names.sort().map((name) => {
		const member = (value as Record<string, unknown>)[name];
		return `${canonicalText(name, budget)}:${canonicalText(member, budget, depth + 1)}`;
	});
	return `{${members.join(",")}}`;
}

import { BudgetExceeded } from "../budget.ts";
import { type CheckBuilder, type Evaluator, type FoundIssue, issueAt, type Place } from "../check.ts";
import { Seen } from "../seen.ts";

const NO_BRANCH = "Must match one of the allowed schemas";

/** Checks `$ref`. */
export const refCheck: CheckBuilder = ({ $ref }, evaluator) => {
	const target = evaluator.target($ref as string);
	return (value, place, seen) => evaluator.matches(target, value, place, seen);
};

/** Checks `allOf`. */
export const allOfCheck: CheckBuilder = ({ allOf }, evaluator) => {
	const branches = allOf as unknown[];
	return (value, place, seen) => {
		let isValid = true;
		for (const branch of branches) {
			if (evaluator.matches(branch, value, place, seen)) continue;
			isValid = false;
			if (!evaluator.wantsMore) return false;
		}
		return isValid;
	};
};

/** Checks `anyOf`. */
export const anyOfCheck: CheckBuilder = ({ anyOf }, evaluator) => {
	const branches = anyOf as unknown[];
	return (value, place, seen) => {
		let isValid = false;
		for (const branch of branches) {
			if (!matchesAlone(branch, value, place, { evaluator, seen })) continue;
			isValid = true;
			// Each branch that matches says what it has seen.
			if (!seen) return true;
		}
		return isValid || reportBranches(branches, value, place, evaluator);
	};
};

/** Checks `oneOf`. */
export const oneOfCheck: CheckBuilder = ({ oneOf }, evaluator) => {
	const branches = oneOf as unknown[];
	return (value, place, seen) => {
		let matching = 0;
		for (const branch of branches) {
			if (!matchesAlone(branch, value, place, { evaluator, seen })) continue;
			if (++matching > 1)
				return evaluator.report(issueAt(place, "Must match only one of the allowed schemas"));
		}
		return matching === 1 || reportBranches(branches, value, place, evaluator);
	};
};

/** Checks `not`. */
export const notCheck: CheckBuilder = ({ not }, evaluator) => {
	return (value, place) =>
		!evaluator.matchesQuietly(not, value, place) ||
		evaluator.report(issueAt(place, "Must not match the schema of `not`"));
};

/** Checks `if`, `then` and `else`. */
export const conditionCheck: CheckBuilder = (schema, evaluator) => {
	if (!Object.hasOwn(schema, "if")) return () => true;
	return (value, place, seen) => {
		const branch = matchesAlone(schema.if, value, place, { evaluator, seen }) ? "then" : "else";
		return !Object.hasOwn(schema, branch) || evaluator.matches(schema[branch], value, place, seen);
	};
};

/** Returns whether a branch matches. What it has seen counts only then. */
function matchesAlone(
	branch: unknown,
	value: unknown,
	place: Place,
	{ evaluator, seen }: { evaluator: Evaluator; seen: Seen | undefined },
): boolean {
	const own = seen && new Seen();
	const isValid = evaluator.matchesQuietly(branch, value, place, own);
	if (isValid && own) seen.merge(own, evaluator.budget);
	return isValid;
}

/** Reports the issues of the only branch for values of this type; without one, that no branch matches. */
function reportBranches(branches: unknown[], value: unknown, place: Place, evaluator: Evaluator): false {
	if (evaluator.isQuiet) return false;
	let intended: FoundIssue[] | undefined;
	try {
		const fitting = branches
			.map((branch) => evaluator.issuesOf(branch, value, place))
			.filter((issues) => !issues.some((issue) => issue.isType && issue.place === place));
		if (fitting.length === 1 && branches.length > 1) intended = fitting[0];
	} catch (error) {
		// That no branch matches is known; only the reason is not.
		if (!(error instanceof BudgetExceeded)) throw error;
	}
	return evaluator.report(...(intended ?? [issueAt(place, NO_BRANCH)]));
}

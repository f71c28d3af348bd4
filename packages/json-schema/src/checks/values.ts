import { canonicalKey } from "../canonical-key.ts";
import { type CheckBuilder, type Evaluator, issueAt } from "../check.ts";
import { mustEqual } from "../wording.ts";

/** Checks `enum`. */
export const enumCheck: CheckBuilder = (schema, evaluator) => membership(schema.enum as unknown[], evaluator);

/** Checks `const`. */
export const constCheck: CheckBuilder = (schema, evaluator) => membership([schema.const], evaluator);

function membership(allowed: unknown[], evaluator: Evaluator): ReturnType<CheckBuilder> {
	const keys = new Set(allowed.map((value) => canonicalKey(value, evaluator.budget)));
	const hasContainers = allowed.some((value) => typeof value === "object" && value !== null);
	const message = mustEqual(allowed);
	return (value, place) => {
		const isContainer = typeof value === "object" && value !== null;
		if (isContainer && !hasContainers) return evaluator.report(issueAt(place, message));
		return keys.has(canonicalKey(value, evaluator.budget)) || evaluator.report(issueAt(place, message));
	};
}

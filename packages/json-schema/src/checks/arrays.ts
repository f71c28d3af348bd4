import { canonicalKey } from "../canonical-key.ts";
import { type Check, type CheckBuilder, issueAt, type Place } from "../check.ts";
import { Seen } from "../seen.ts";
import { counted, mustHaveAtLeast, mustHaveAtMost } from "../wording.ts";

const STEPS_PER_COMPARED_ITEM = 3;
const STEPS_PER_SEARCHED_ITEM = 2;

/** Checks `maxItems`. */
export const maxItemsCheck: CheckBuilder = ({ maxItems }, evaluator) => {
	const maximum = maxItems as number;
	return forArrays(
		(items, place) =>
			items.length <= maximum || evaluator.report(issueAt(place, mustHaveAtMost(maximum, "item"))),
	);
};

/** Checks `minItems`. */
export const minItemsCheck: CheckBuilder = ({ minItems }, evaluator) => {
	const minimum = minItems as number;
	return forArrays(
		(items, place) =>
			items.length >= minimum || evaluator.report(issueAt(place, mustHaveAtLeast(minimum, "item"))),
	);
};

/** Checks `uniqueItems` in time proportional to the items: equal items have equal canonical keys. */
export const uniqueItemsCheck: CheckBuilder = ({ uniqueItems }, evaluator) => {
	if (uniqueItems !== true) return () => true;
	return forArrays((items, place) => {
		const indexes = new Map<string, number>();
		for (const [index, item] of items.entries()) {
			evaluator.budget.spend(STEPS_PER_COMPARED_ITEM);
			const key = canonicalKey(item, evaluator.budget);
			const other = indexes.get(key);
			if (other !== undefined)
				return evaluator.report(issueAt(place, `Must have unique items: ${other} and ${index} are equal`));
			indexes.set(key, index);
		}
		return true;
	});
};

/** Checks `prefixItems` and `items`. */
export const itemsCheck: CheckBuilder = (schema, evaluator) => {
	const prefix = (schema.prefixItems ?? []) as unknown[];
	const hasRest = Object.hasOwn(schema, "items");
	return forArrays((items, place, seen) => {
		const end = hasRest ? items.length : Math.min(prefix.length, items.length);
		let isValid = true;
		for (let index = 0; index < end; index++) {
			const itemSchema = index < prefix.length ? prefix[index] : schema.items;
			if (evaluator.matches(itemSchema, items[index], at(place, index))) continue;
			isValid = false;
			if (!evaluator.wantsMore) return false;
		}
		if (seen) seen.itemsUpTo = Math.max(seen.itemsUpTo, end);
		return isValid;
	});
};

/** Checks `contains`, `minContains` and `maxContains`. */
export const containsCheck: CheckBuilder = (schema, evaluator) => {
	if (!Object.hasOwn(schema, "contains")) return () => true;
	const minimum = (schema.minContains ?? 1) as number;
	const maximum = (schema.maxContains ?? Number.POSITIVE_INFINITY) as number;
	return forArrays((items, place, seen) => {
		let count = 0;
		for (const [index, item] of items.entries()) {
			evaluator.budget.spend(STEPS_PER_SEARCHED_ITEM);
			if (!evaluator.matchesQuietly(schema.contains, item, at(place, index))) continue;
			count++;
			seen?.addIndex(index, evaluator.budget);
			if (count > maximum)
				return evaluator.report(issueAt(place, `Must have at most ${counted(maximum, "matching item")}`));
			if (count >= minimum && maximum === Number.POSITIVE_INFINITY && !seen) return true;
		}
		if (count >= minimum) return true;
		return evaluator.report(issueAt(place, `Must have at least ${counted(minimum, "matching item")}`));
	});
};

/** Checks `unevaluatedItems`, after all other keywords of its schema. */
export const unevaluatedItemsCheck: CheckBuilder = ({ unevaluatedItems }, evaluator) =>
	forArrays((items, place, seen = new Seen()) => {
		let isValid = true;
		for (let index = seen.itemsUpTo; index < items.length; index++) {
			evaluator.budget.spend(1);
			if (seen.hasIndex(index)) continue;
			if (evaluator.matches(unevaluatedItems, items[index], at(place, index))) continue;
			isValid = false;
			if (!evaluator.wantsMore) return false;
		}
		seen.itemsUpTo = items.length;
		return isValid;
	});

const at = (parent: Place, index: number): Place => ({ parent, key: String(index) });

const forArrays =
	(check: (items: unknown[], place: Place, seen: Seen | undefined) => boolean): Check =>
	(value, place, seen) =>
		!Array.isArray(value) || check(value, place, seen);

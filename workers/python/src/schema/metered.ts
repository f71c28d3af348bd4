import type { Budget } from "./budget.ts";

/**
 * The value with objects and lists that pay for being listed and read. On each visit the validator lists all members of an
 * object and walks through a list, which its own visits do not show.
 * @param maxFree members that a container may have without paying.
 */
export function metered(value: unknown, budget: Budget, maxFree: number): unknown {
	if (typeof value !== "object" || value === null) return value;
	if (Array.isArray(value)) {
		const items = value.map((item) => metered(item, budget, maxFree));
		return items.length > maxFree ? meteredList(items, budget) : items;
	}
	const members = Object.entries(value).map(([name, member]) => [name, metered(member, budget, maxFree)]);
	const copy = Object.fromEntries(members) as object;
	return members.length > maxFree ? meteredObject(copy, members.length, budget) : copy;
}

/** Asking for the length comes before a walk, in which items that were judged before are passed over unread. */
const meteredList = (items: unknown[], budget: Budget): unknown[] =>
	new Proxy(items, {
		get(target, key) {
			budget.spend(key === "length" ? target.length / 16 : 0.4);
			return Reflect.get(target, key) as unknown;
		},
	});

const meteredObject = (members: object, size: number, budget: Budget): object =>
	new Proxy(members, {
		ownKeys(target) {
			budget.spend(size);
			return Reflect.ownKeys(target);
		},
	});

import type { Budget } from "./budget.ts";

const STEPS_PER_ENTRY = 8;

/** The members and items of one value that some schema has applied to, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Seen {
	readonly #names = new Set<string>();
	readonly #indexes = new Set<number>();
	/** Items before this index have all been seen. */
	itemsUpTo = 0;

	hasName(name: string): boolean {
		return this.#names.has(name);
	}

	hasIndex(index: number): boolean {
		return index < this.itemsUpTo || this.#indexes.has(index);
	}

	addName(name: string, budget: Budget): void {
		budget.spend(STEPS_PER_ENTRY);
		this.#names.add(name);
	}

	addIndex(index: number, budget: Budget): void {
		budget.spend(STEPS_PER_ENTRY);
		this.#indexes.add(index);
	}

	merge(other: Seen, budget: Budget): void {
		budget.spend((other.#names.size + other.#indexes.size) * STEPS_PER_ENTRY);
		for (const name of other.#names) this.#names.add(name);
		for (const index of other.#indexes) this.#indexes.add(index);
		this.itemsUpTo = Math.max(this.itemsUpTo, other.itemsUpTo);
	}
}

/** Steps that one validation may take. The slowest mix of steps that we know takes 100 ms of CPU for them. */
export const MAX_STEPS = 1_000_000;

/** Thrown when a check needs more steps than its budget has, or more stack than there is. The message is public: it follows the field's name, and the caller adds a remedy. */
export class BudgetExceeded extends Error {
	override readonly name = "BudgetExceeded";
	/** The value that was being checked, from the root of the validated value. */
	path: string[] = [];
}

export const tooDeep = (): BudgetExceeded => new BudgetExceeded("Is nested too deeply to check");

/** Counts the steps of a check. The count depends on the schema and the value alone, never on time. */
export class Budget {
	readonly limit: number;
	#spent = 0;

	constructor(limit = MAX_STEPS) {
		this.limit = limit;
	}

	get spent(): number {
		return this.#spent;
	}

	/** @throws BudgetExceeded */
	spend(steps: number): void {
		this.#spent += steps;
		if (this.#spent > this.limit) throw new BudgetExceeded(`Takes more than ${this.limit} steps to check`);
	}
}

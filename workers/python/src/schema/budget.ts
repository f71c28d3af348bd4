/** A check that cost more than it may. */
export class TooManySteps extends Error {
	override readonly name = "TooManySteps";
}

/** Steps that are left; one is about a microsecond. */
export class Budget {
	#left = 0;

	reset(steps: number): void {
		this.#left = steps;
	}

	/** @throws TooManySteps */
	spend(steps: number): void {
		this.#left -= steps;
		if (this.#left < 0) throw new TooManySteps();
	}
}

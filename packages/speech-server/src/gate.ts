/** Lets a number of tasks run at a time, first come, first served. */
export class Gate {
	readonly #waiting: (() => void)[] = [];
	#free: number;

	constructor(size: number) {
		this.#free = size;
	}

	/** Runs the task in its turn. Throws the reason of the signal if that comes first, and whatever the task throws. */
	async run<Result>(signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
		if (this.#free > 0) this.#free--;
		else await this.#turn(signal);
		try {
			signal.throwIfAborted();
			return await task();
		} finally {
			const next = this.#waiting.shift();
			if (next) next();
			else this.#free++;
		}
	}

	#turn(signal: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			const leave = () => {
				this.#waiting.splice(this.#waiting.indexOf(enter), 1);
				reject(signal.reason);
			};
			const enter = () => {
				signal.removeEventListener("abort", leave);
				resolve();
			};
			if (signal.aborted) return reject(signal.reason);
			signal.addEventListener("abort", leave, { once: true });
			this.#waiting.push(enter);
		});
	}
}

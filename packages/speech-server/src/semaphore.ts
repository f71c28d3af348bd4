interface Waiting {
	bytes: number;
	enter: () => void;
}

/**
 * Limits concurrent tasks by their number and by the bytes of all together. Tasks enter in order of arrival, except that a task that fits
 * overtakes those that do not fit yet.
 */
export class Semaphore {
	readonly #waiting: Waiting[] = [];
	#slots: number;
	#bytes: number;

	constructor(limits: { slots: number; bytes: number }) {
		this.#slots = limits.slots;
		this.#bytes = limits.bytes;
	}

	/**
	 * Runs a task with a slot and its bytes, which must not exceed the limit.
	 * @throws the reason of the signal if it aborts first, and every error of the task.
	 */
	async withSlot<Result>(bytes: number, signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
		await this.#acquire(bytes, signal);
		try {
			signal.throwIfAborted();
			return await task();
		} finally {
			this.#slots++;
			this.#bytes += bytes;
			this.#admit();
		}
	}

	#acquire(bytes: number, signal: AbortSignal): Promise<void> {
		return new Promise((resolve, reject) => {
			const leave = () => {
				this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
				reject(signal.reason);
			};
			const enter = () => {
				signal.removeEventListener("abort", leave);
				resolve();
			};
			const waiting: Waiting = { bytes, enter };
			if (signal.aborted) return reject(signal.reason);
			signal.addEventListener("abort", leave, { once: true });
			this.#waiting.push(waiting);
			this.#admit();
		});
	}

	#admit(): void {
		while (this.#slots > 0) {
			const next = this.#waiting.findIndex(({ bytes }) => bytes <= this.#bytes);
			const [entering] = next < 0 ? [] : this.#waiting.splice(next, 1);
			if (!entering) return;
			this.#slots--;
			this.#bytes -= entering.bytes;
			entering.enter();
		}
	}
}

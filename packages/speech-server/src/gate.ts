interface Waiting {
	bytes: number;
	enter: () => void;
}

/**
 * Lets tasks run side by side as long as there is a seat for each and room for the bytes of all. They enter in the
 * order of their coming, except that those which fit pass by those which do not yet.
 */
export class Gate {
	readonly #waiting: Waiting[] = [];
	#seats: number;
	#bytes: number;

	constructor(room: { seats: number; bytes: number }) {
		this.#seats = room.seats;
		this.#bytes = room.bytes;
	}

	/**
	 * Runs the task in its turn; its bytes must be no more than there is room for. Throws the reason of the signal if
	 * that comes first, and whatever the task throws.
	 */
	async run<Result>(bytes: number, signal: AbortSignal, task: () => Promise<Result>): Promise<Result> {
		await this.#turn(bytes, signal);
		try {
			signal.throwIfAborted();
			return await task();
		} finally {
			this.#seats++;
			this.#bytes += bytes;
			this.#admit();
		}
	}

	#turn(bytes: number, signal: AbortSignal): Promise<void> {
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
		while (this.#seats > 0) {
			const next = this.#waiting.findIndex(({ bytes }) => bytes <= this.#bytes);
			const [entering] = next < 0 ? [] : this.#waiting.splice(next, 1);
			if (!entering) return;
			this.#seats--;
			this.#bytes -= entering.bytes;
			entering.enter();
		}
	}
}

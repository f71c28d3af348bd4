/** Thrown through the interpreter to tear it down; afterwards it must not be entered again. */
export class TimeLimit extends Error {
	constructor() {
		super("the time limit of the sandbox was reached");
	}
}

// A bound for a deployed Worker, whose clock stands still while code runs. One unit is 2^20 loop iterations,
// measured at 3 to 17 ms of work, so that the platform's own CPU limit usually comes first.
const FUEL_PER_MS = 1;
const SIGINT = 2;

/**
 * Ends a run in three steps: SIGINT once at the limit, so that the tool's traceback says where it was; the interpreter
 * torn down `graceMs` later, from its own checks or from any wasm loop; and a timer for awaits that never end.
 */
export class Watchdog {
	/** Rejects with TimeLimit when the run is over its limits. */
	readonly expired: Promise<never>;
	interrupted = false;
	/** Whether the interpreter was left in the middle of its work. */
	torn = false;
	#now: () => number;
	#soft = Number.POSITIVE_INFINITY;
	#hard = Number.POSITIVE_INFINITY;
	#fuel = Number.POSITIVE_INFINITY;
	#timer: number | null = null;
	#reject: (error: TimeLimit) => void;

	constructor(now: () => number) {
		const { promise, reject } = Promise.withResolvers<never>();
		promise.catch(() => {});
		this.expired = promise;
		this.#reject = reject;
		this.#now = now;
	}

	start(timeoutMs: number, graceMs: number): void {
		this.#soft = this.#now() + timeoutMs;
		this.#hard = this.#soft + graceMs;
		this.#fuel = (timeoutMs + graceMs) * FUEL_PER_MS;
		this.#timer = setTimeout(() => this.#reject(new TimeLimit()), timeoutMs + graceMs);
	}

	/** Lets nothing run until the next start: whatever enters the interpreter tears it down. */
	hold(): void {
		this.#soft = Number.POSITIVE_INFINITY;
		this.#hard = Number.NEGATIVE_INFINITY;
		this.#fuel = 0;
		clearTimeout(this.#timer);
	}

	stop(): void {
		this.#soft = this.#hard = this.#fuel = Number.POSITIVE_INFINITY;
		clearTimeout(this.#timer);
	}

	/** For the interpreter's interrupt check. */
	readonly signal = (): number => {
		const now = this.#now();
		if (now > this.#hard) this.#tearDown();
		if (now <= this.#soft || this.interrupted) return 0;
		this.interrupted = true;
		return SIGINT;
	};

	/** For the fuel counter in every wasm loop. */
	readonly fuel = (): number => {
		if (--this.#fuel < 0 || this.#now() > this.#hard) this.#tearDown();
		return 0;
	};

	#tearDown(): never {
		this.torn = true;
		const error = new TimeLimit();
		this.#reject(error);
		throw error;
	}
}

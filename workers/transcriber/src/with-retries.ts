import { backoffMs } from "@parley/egress/retry";
import type { LanguageDeps } from "@parley/engines/language/language-registry";
import { EngineError } from "@parley/engines/transport/engine-error";

const MAX_ATTEMPTS = 4;
/** Longest wait that an engine may ask for. The transcript must not wait longer for its extras. */
const MAX_WAIT_MS = 60_000;

/** Source of jitter in [0, 1), and a sleep that a signal aborts. */
type Wait = { random: () => number; sleep: (ms: number, signal?: AbortSignal) => Promise<void> };

/** Called before each wait with the number of attempts, the last error and the length of the wait. */
export type OnRetry = (attempts: number, error: EngineError, waitMs: number) => Promise<void>;

/** Runs an exchange with a language engine again after a failure that may pass. */
export const withRetries =
	({ random, sleep }: Wait, onRetry: OnRetry): NonNullable<LanguageDeps["around"]> =>
	async (exchange, signal) => {
		for (let attempt = 1; ; attempt++) {
			try {
				return await exchange();
			} catch (error) {
				if (!(error instanceof EngineError) || !error.retryable || attempt === MAX_ATTEMPTS) throw error;
				const { retryAfterMs } = error;
				const ms = backoffMs(attempt, { baseMs: 1000, maxMs: 20_000, retryAfterMs, random });
				if (ms > MAX_WAIT_MS) throw error;
				await onRetry(attempt, error, ms);
				await sleep(ms, signal);
			}
		}
	};

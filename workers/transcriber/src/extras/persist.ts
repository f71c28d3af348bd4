import { backoffMs } from "@parley/egress/retry";
import type { LanguageDeps } from "@parley/engines/language/language-registry";
import { EngineError } from "@parley/engines/transport/engine-error";
import type { Ctx } from "../context.ts";

const MAX_TRIES = 4;
/** An engine that asks to be left alone for longer is given up: the transcript should not wait for its extras that long. */
const MAX_WAIT_MS = 60_000;

/** Told before each pause: how often an exchange was tried by then, why in vain, and for how long it waits. */
export type OnSetback = (attempts: number, error: EngineError, waitMs: number) => Promise<void>;

/** Tries an exchange with a language engine again, as long as that may help. */
export const persist =
	(
		{ random, sleep }: Pick<Ctx, "random" | "sleep">,
		onSetback: OnSetback,
	): NonNullable<LanguageDeps["around"]> =>
	async (exchange, signal) => {
		for (let attempt = 1; ; attempt++) {
			try {
				return await exchange();
			} catch (error) {
				if (!(error instanceof EngineError) || !error.retryable || attempt === MAX_TRIES) throw error;
				const { retryAfterMs } = error;
				const ms = backoffMs(attempt, { baseMs: 1000, maxMs: 20_000, retryAfterMs, random });
				if (ms > MAX_WAIT_MS) throw error;
				await onSetback(attempt, error, ms);
				await sleep(ms, signal);
			}
		}
	};

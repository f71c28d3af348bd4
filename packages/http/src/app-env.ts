import type { Actor } from "@parley/context/actor";
import type { RateState } from "./rate-limit/limits.ts";

/** Hono's environment for every request of a worker with routes. */
export type AppEnv<E> = {
	Bindings: E;
	Variables: { requestId: string; actor: Actor | undefined; rateState: RateState | undefined };
};

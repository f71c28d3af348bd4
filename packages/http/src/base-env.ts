import type { RateSettings } from "./rate-limit/limits.ts";
import type { RateLimiter } from "./rate-limit/rate-limiter.ts";

/** The settings and bindings of every worker with routes. */
export type BaseEnv = RateSettings & {
	DB: D1Database;
	LIMITER: DurableObjectNamespace<RateLimiter>;
	LEGACY_KEYS_UNTIL: string;
	CORS_ORIGINS?: string;
};

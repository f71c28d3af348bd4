import { VERSION } from "@parley/contracts/shared/version";
import type { BaseEnv } from "./base-env.ts";
import { logFault } from "./errors.ts";
import type { Plane } from "./planes/plane.ts";

/** One thing that a worker needs, and a cheap use of it. */
export type Probes = Record<string, () => Promise<unknown>>;

export type Health = {
	status: "ok" | "failing";
	version: string;
	checks: Record<string, { ok: boolean; ms: number }>;
};

const PROBE_TIMEOUT_MS = 3_000;

/** Returns probes of what every worker with routes has: its database, its bucket, its rate accounts. */
export function commonProbes(env: BaseEnv & { MEDIA?: R2Bucket }): Probes {
	const { MEDIA } = env;
	return {
		database: () => env.DB.prepare("select 1").first(),
		...(MEDIA && { media: () => MEDIA.head("health") }),
		limiter: async () => env.LIMITER.getByName("health").lease({ rateClass: "read", limit: 1, want: 0 }),
	};
}

/** Uses everything once, at the same time. A use that fails or takes too long is told to the log, and only its name here. */
export async function checkHealth(plane: Plane, probes: Probes, requestId: string): Promise<Health> {
	const checks = await Promise.all(
		Object.entries(probes).map(async ([name, probe]) => {
			const startedAt = Date.now();
			const ok = await withTimeout(probe()).then(
				() => true,
				(error) => {
					logFault(plane, `HEALTH_${name.toUpperCase()}`, error, requestId);
					return false;
				},
			);
			return [name, { ok, ms: Date.now() - startedAt }] as const;
		}),
	);
	const status = checks.every(([, { ok }]) => ok) ? "ok" : "failing";
	return { status, version: VERSION, checks: Object.fromEntries(checks) };
}

function withTimeout(work: Promise<unknown>): Promise<unknown> {
	const late = Promise.withResolvers<never>();
	const fail = () => late.reject(new Error(`No answer in ${PROBE_TIMEOUT_MS} ms`));
	const timer = setTimeout(fail, PROBE_TIMEOUT_MS);
	return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

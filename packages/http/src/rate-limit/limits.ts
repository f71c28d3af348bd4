import type { Access } from "../planes/access.ts";

/** Requests a minute, for one key or, without one, one address. Zero of `RATE_LIMIT_SCALE` turns all limits off. */
export type RateSettings = {
	RATE_LIMIT_SCALE: string;
	RATE_LIMIT_READS?: string;
	RATE_LIMIT_WRITES?: string;
	RATE_LIMIT_RUNS?: string;
	RATE_LIMIT_RUNTIME?: string;
	RATE_LIMIT_ANONYMOUS?: string;
};

/** Budget of an actor that a request draws on. */
export type RateClass = "read" | "write" | "run" | "runtime";

export type PolicyName = RateClass | "anonymous";

/** State of the rate policy of a request. `remaining` is absent if the account could not be reached. */
export type RateState = { policy: PolicyName; limit: number; remaining?: number; resetMs: number };

const DEFAULTS: Record<PolicyName, number> = {
	read: 600,
	write: 120,
	run: 30,
	runtime: 3000,
	anonymous: 120,
};
const SETTINGS = {
	read: "RATE_LIMIT_READS",
	write: "RATE_LIMIT_WRITES",
	run: "RATE_LIMIT_RUNS",
	runtime: "RATE_LIMIT_RUNTIME",
	anonymous: "RATE_LIMIT_ANONYMOUS",
} as const satisfies Record<PolicyName, keyof RateSettings>;

/** The limit of a policy in this deployment; undefined when limits are off. */
export function limitOf(settings: RateSettings, policy: PolicyName): number | undefined {
	const scale = positive(settings.RATE_LIMIT_SCALE, 1);
	if (scale === 0) return undefined;
	return Math.max(1, Math.floor(positive(settings[SETTINGS[policy]], DEFAULTS[policy]) * scale));
}

/** Returns the budget that an operation draws on: the declared one, or one chosen by its scope or its method. */
export function rateClassOf(spec: { method: string; access?: Access; rate?: RateClass }): RateClass {
	if (spec.rate) return spec.rate;
	if (spec.access === "runtime:use") return "runtime";
	return spec.method === "get" ? "read" : "write";
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-10: the policy, and how it stands with the caller. */
export function rateFields({ policy, limit, remaining, resetMs }: RateState): [string, string][] {
	const fields: [string, string][] = [["ratelimit-policy", `"${policy}";q=${limit};w=60`]];
	if (remaining !== undefined) fields.push(["ratelimit", `"${policy}";r=${remaining};t=${seconds(resetMs)}`]);
	return fields;
}

export const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

function positive(setting: string | undefined, fallback: number): number {
	const value = setting ? Number(setting) : fallback;
	return Number.isFinite(value) && value >= 0 ? value : fallback;
}

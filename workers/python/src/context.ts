import { type EgressRules, egressRules } from "@parley/egress/egress-rules";

/** Context of the service functions. */
export type Ctx = {
	loader: WorkerLoader;
	wheels: R2Bucket;
	/** Base URL of the package index, with a slash at its end. */
	indexUrl: string;
	rules: EgressRules;
	/** For one answer of the index. */
	indexTimeoutMs: number;
	maxLiveSandboxes: number;
	maxSpareSandboxes: number;
	sparesPerOrganisation: number;
	/** Time after a tool's last call for which it keeps a spare interpreter. */
	spareMs: number;
};

export const contextOf = (env: Env): Ctx => ({
	loader: env.LOADER,
	wheels: env.WHEELS,
	indexUrl: env.PYTHON_INDEX.endsWith("/") ? env.PYTHON_INDEX : `${env.PYTHON_INDEX}/`,
	rules: egressRules(env),
	indexTimeoutMs: Number(env.PYTHON_INDEX_TIMEOUT_MS) || 10_000,
	maxLiveSandboxes: Number(env.MAX_LIVE_SANDBOXES) || 16,
	maxSpareSandboxes: Number(env.MAX_SPARE_SANDBOXES) || 0,
	sparesPerOrganisation: Number(env.SPARES_PER_ORGANISATION) || 0,
	spareMs: Number(env.SPARE_SECONDS) * 1000 || 300_000,
});

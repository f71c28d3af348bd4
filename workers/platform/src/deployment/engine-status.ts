import type { EngineStatus } from "@parley/contracts/platform/deployment";

/** How the jobs of a model ended within a day. */
export type EngineRecord = {
	done: number;
	/** Jobs that failed because of the engine. */
	failed: number;
	lastDoneAt: string | null;
	lastFailureAt: string | null;
};

/** Judges an engine by its jobs. */
export function statusOf(record: EngineRecord | undefined): EngineStatus {
	if (!record || record.done + record.failed === 0) return "unknown";
	if (record.failed === 0) return "ok";
	return (record.lastDoneAt ?? "") > (record.lastFailureAt ?? "") ? "degraded" : "failing";
}

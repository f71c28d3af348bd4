import type { JobRow } from "@parley/db/batch/jobs";
import type { SpeechEngine } from "@parley/engines/speech/speech-engine";
import type { JobPlan } from "../audio/job-plan.ts";

/** One chunk of a job and the engine that recognises it. */
export type ChunkTask = {
	job: JobRow;
	plan: JobPlan;
	position: number;
	engine: SpeechEngine;
	/** Whether an earlier attempt may have stored results. */
	isRetry: boolean;
	signal: AbortSignal;
};

import type { Job } from "@parley/contracts/batch/jobs";
import type { BatchClient } from "@parley/sdk/batch";

/** Recordings shorter than this say little about a model's speed. */
const MIN_SECONDS = 20;
/** Below this share of the chunks an estimate would jump about. */
const MIN_PROGRESS = 0.1;

/** Estimates the seconds that a job will still take. Returns undefined when nothing is known. */
export type Estimate = (job: Job, now: number) => number | undefined;

/**
 * Returns an estimate that uses the job's own progress, and before there is any the speed of the organisation's last jobs with
 * the same model.
 */
export function createEstimate(client: BatchClient): Estimate {
	const speeds = new Map<string, { secondsPerSecond?: number }>();
	const speedOf = (model: string) => {
		const known = speeds.get(model);
		if (known) return known.secondsPerSecond;
		const speed: { secondsPerSecond?: number } = {};
		speeds.set(model, speed);
		// An estimate is not worth a failed command.
		client
			.list({ status: "DONE", model_code: model, page_size: "10" })
			.then(({ items }) => Object.assign(speed, { secondsPerSecond: measureSpeed(items) }))
			.catch(() => {});
		return undefined;
	};
	return (job, now) => estimateSeconds(job, now, speedOf(job.model_code));
}

/** Returns processing seconds per second of audio over ended jobs, or undefined when none was long enough. */
export function measureSpeed(jobs: Job[]): number | undefined {
	let [audio, processing] = [0, 0];
	for (const { input_metadata, started_at, completed_at } of jobs) {
		const duration = input_metadata.duration_seconds;
		if (duration === null || duration < MIN_SECONDS || !started_at || !completed_at) continue;
		audio += duration;
		processing += (Date.parse(completed_at) - Date.parse(started_at)) / 1000;
	}
	return audio > 0 ? processing / audio : undefined;
}

/** Estimates the seconds left of a job from its progress, or from a speed in processing seconds per second of audio. */
export function estimateSeconds(job: Job, now: number, speed: number | undefined): number | undefined {
	if (!job.started_at || job.completed_at) return undefined;
	const elapsed = (now - Date.parse(job.started_at)) / 1000;
	if (job.progress >= MIN_PROGRESS) return (elapsed * (1 - job.progress)) / job.progress;
	const duration = job.input_metadata.duration_seconds;
	if (duration === null || speed === undefined) return undefined;
	const left = duration * speed - elapsed;
	// A job slower than those before it is not "about 0 s" from its end.
	return left >= 1 ? left : undefined;
}

import type { Job } from "@parley/contracts/batch/jobs";

/** Returns the display name of a job: its title, else its reference, else its id. */
export const jobName = (job: Pick<Job, "job_id" | "tracking">): string =>
	job.tracking?.title?.trim() || job.tracking?.reference?.trim() || job.job_id;

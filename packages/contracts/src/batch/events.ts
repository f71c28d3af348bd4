import { z } from "zod";
import { Timestamp } from "../shared/common.ts";
import { JobError, JobStatus } from "./jobs.ts";

/** First event of every stream. */
export const FeedReady = z
	.object({
		resumed: z
			.boolean()
			.describe(
				"True when every event since `Last-Event-ID` follows. When false, read the jobs that you show again; later changes follow as events",
			),
	})
	.meta({ id: "FeedReady", description: "Data of the event `ready`", example: { resumed: false } });
export type FeedReady = z.infer<typeof FeedReady>;

/** State of a job after its status or its progress changed. */
export const JobChanged = z
	.object({
		job_id: z.string().describe("Id of the job"),
		status: JobStatus,
		progress: z.number().min(0).max(1).describe("Share of the chunks that are recognised, 0 to 1"),
		error: JobError.nullable().describe("Why the job failed; null unless it is FAILED"),
		submitted_at: Timestamp.describe("Time of the submission"),
		updated_at: Timestamp.describe("Time of the change"),
		completed_at: Timestamp.nullable().describe("Time at which the job ended; null before"),
	})
	.meta({
		id: "JobChanged",
		description: "Data of the event `job`: a job after a change of its status or progress",
		example: {
			...{ job_id: "call4711", status: "DECODING", progress: 0.5, error: null },
			...{ submitted_at: "2026-11-20T09:30:00.000Z", updated_at: "2026-11-20T09:30:07.120Z" },
			completed_at: null,
		},
	});
export type JobChanged = z.infer<typeof JobChanged>;

export const JobDeleted = z.object({ job_id: z.string().describe("Id of the job") }).meta({
	id: "JobDeleted",
	description: "Data of the event `job_deleted`",
	example: { job_id: "call4711" },
});
export type JobDeleted = z.infer<typeof JobDeleted>;

/** One event of the stream, by its name. */
export type JobFeedEvent =
	| { event: "ready"; data: FeedReady }
	| { event: "job"; data: JobChanged }
	| { event: "job_deleted"; data: JobDeleted };

/** What happens to jobs, as workers report it to the organisation's feed. */
export type JobFeedReport = Exclude<JobFeedEvent, { event: "ready" }>;

/** One event as the feed sends it to its listeners; `id` is what a listener gives as `Last-Event-ID` later. */
export type JobFeedMessage = { id: string } & JobFeedEvent;

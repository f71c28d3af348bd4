import { z } from "zod";
import { pageOf, pageQuery, queryInteger, Timestamp, Uuid } from "./common.ts";
import { JobConfig, MAX_LINE_LENGTH, MAX_LINES, Tracking } from "./job-configs.ts";

/** In the order of a job's life; the last three are terminal. */
export const JOB_STATUSES = [
	"QUEUED",
	"IN_PROGRESS",
	"DECODING",
	"POST_PROCESSING",
	"DONE",
	"FAILED",
	"CANCELLED",
] as const;
export const JobStatus = z.enum(JOB_STATUSES).meta({ id: "JobStatus" });
export type JobStatus = z.infer<typeof JobStatus>;

export const TERMINAL_STATUSES = ["DONE", "FAILED", "CANCELLED"] as const satisfies JobStatus[];
export const isTerminal = (status: JobStatus): boolean =>
	(TERMINAL_STATUSES as readonly JobStatus[]).includes(status);

/** What is known of the audio; what is not known yet is null. */
export const InputMetadata = z
	.object({
		source: z.enum(["url", "upload", "inline"]),
		size_bytes: z.int().nullable(),
		sha256: z.string().nullish().meta({
			description:
				"Of the input, in lower-case hex. Of an upload in parts the one announced, which its job checks; null where nobody counted",
		}),
		duration_seconds: z.number().nullable(),
		format: z.string().nullable(),
		codec: z.string().nullable(),
		channels: z.int().nullable(),
		sample_rate: z.int().nullable(),
	})
	.meta({ id: "InputMetadata" });
export type InputMetadata = z.infer<typeof InputMetadata>;

/**
 * `coverage` is the share of the voiced time that words cover, null where it was not measured or nothing is voiced; `partial`
 * is there, and true, where that is too little.
 */
export const OutputMetadata = z
	.object({
		word_count: z.int(),
		coverage: z.number().min(0).max(1).nullable(),
		partial: z.boolean().optional(),
		languages: z.array(z.string()),
		engine: z.string(),
		engines: z
			.array(z.string())
			.optional()
			.meta({ description: "All of them, where one had to take over from another" }),
		warnings: z.array(z.string()),
	})
	.meta({ id: "OutputMetadata" });
export type OutputMetadata = z.infer<typeof OutputMetadata>;

export const JobError = z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).meta({
	id: "JobError",
	description: "Why a job failed; `retryable` when the same input may succeed later",
});
export type JobError = z.infer<typeof JobError>;

export const Job = z
	.object({
		job_id: z.string(),
		organisation_id: Uuid,
		api_key_id: Uuid,
		model_code: z.string(),
		status: JobStatus,
		progress: z.number().min(0).max(1),
		job_config: JobConfig,
		metadata: z.record(z.string(), z.unknown()).nullable(),
		tracking: Tracking.nullable(),
		input_metadata: InputMetadata,
		output_metadata: OutputMetadata.nullable(),
		error: JobError.nullable(),
		error_message: z.string().nullable(),
		attempts: z.int().min(0).meta({
			description:
				"How often the work that is failing now has been tried; 0 while nothing fails and once the job has ended",
		}),
		last_error: JobError.nullable().meta({
			description: "Why the last of these tries failed; null while nothing fails and once the job has ended",
		}),
		next_attempt_at: Timestamp.nullable().meta({
			description: "When it is tried again; in the past while that try waits for its turn or is under way",
		}),
		submitted_at: Timestamp,
		started_at: Timestamp.nullable(),
		completed_at: Timestamp.nullable(),
		updated_at: Timestamp,
		expires_at: Timestamp.nullable().meta({ description: "When inputs and outputs are removed" }),
		files_removed_at: Timestamp.nullable().meta({ description: "When they were" }),
	})
	.meta({ id: "Job" });
export type Job = z.infer<typeof Job>;

export const JobPage = pageOf(Job).meta({ id: "JobPage" });
export type JobPage = z.infer<typeof JobPage>;

const statuses = JOB_STATUSES.join("|");

export const ListJobsQuery = z.strictObject({
	...pageQuery(),
	status: z
		.array(
			z
				.string()
				.regex(new RegExp(`^(${statuses})(,(${statuses}))*$`), `One or more of ${JOB_STATUSES.join(", ")}`),
		)
		.optional()
		.meta({ description: "Repeatable, or separated by commas; any match counts" }),
	model_code: z.string().min(1).max(200).optional(),
	tag: z.string().min(1).max(100).optional(),
	reference: z.string().min(1).max(500).optional(),
	submitted_after: z.iso.datetime({ offset: true }).optional(),
	submitted_before: z.iso.datetime({ offset: true }).optional(),
	sort_by: z.enum(["submitted_at", "status", "model_code"]).default("submitted_at"),
	sort_order: z.enum(["asc", "desc"]).default("desc"),
});
export type ListJobsQuery = z.output<typeof ListJobsQuery>;

const wait = queryInteger(0, 25, "seconds")
	.default(0)
	.meta({ description: "Seconds to hold the answer until the job has ended" });

export const GetJobQuery = z.strictObject({ wait });

export const TRANSCRIPT_FORMATS = ["json", "txt", "srt", "vtt"] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

export const GetTranscriptQuery = z.strictObject({
	format: z.enum(TRANSCRIPT_FORMATS).default("json"),
	max_line_length: queryInteger(...MAX_LINE_LENGTH).optional(),
	max_lines: queryInteger(...MAX_LINES).optional(),
	wait,
});
export type GetTranscriptQuery = z.output<typeof GetTranscriptQuery>;

const file = {
	key: z.string(),
	s3_uri: z.string(),
	download_url: z.string().meta({ description: "Valid for one hour" }),
	content_type: z.string(),
	size_bytes: z.int(),
};

export const JobFiles = z
	.object({
		job_id: z.string(),
		inputs: z.array(z.object(file)),
		outputs: z.array(z.object({ format: z.enum(TRANSCRIPT_FORMATS), ...file })),
	})
	.meta({ id: "JobFiles" });
export type JobFiles = z.infer<typeof JobFiles>;

import { z } from "zod";
import { pageOf, pageQuery, queryInteger, Timestamp, Uuid } from "../shared/common.ts";
import { JobConfig, MAX_LINE_LENGTH, MAX_LINES, Tracking } from "./job-configs.ts";
import { RevisionSelector } from "./revisions.ts";

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
export const JobStatus = z.enum(JOB_STATUSES).meta({
	id: "JobStatus",
	description:
		"QUEUED; IN_PROGRESS while the audio is fetched and looked through; DECODING while it is recognised; POST_PROCESSING while the transcript is made; at last DONE, FAILED or CANCELLED",
});
export type JobStatus = z.infer<typeof JobStatus>;

export const TERMINAL_STATUSES = ["DONE", "FAILED", "CANCELLED"] as const satisfies JobStatus[];

/** Properties of the audio. Unknown ones are null. */
export const InputMetadata = z
	.object({
		source: z.enum(["url", "upload", "inline"]).describe("How the audio came"),
		size_bytes: z.int().nullable().describe("Bytes of the input"),
		sha256: z.string().nullish().meta({
			description:
				"Of the input, in lower-case hex. Of an upload in parts the one announced, which its job checks; null where nobody counted",
		}),
		duration_seconds: z.number().nullable().describe("Length of the audio, in seconds to the millisecond"),
		format: z.string().nullable().describe("Container, read from the bytes, such as `mp3` or `ogg`"),
		codec: z.string().nullable().describe("Of the sound in it, such as `opus`"),
		channels: z.int().nullable().describe("How many channels the audio has"),
		sample_rate: z.int().nullable().describe("In hertz"),
	})
	.meta({ id: "InputMetadata", description: "What is known of the audio; what is not known yet is null" });
export type InputMetadata = z.infer<typeof InputMetadata>;

/**
 * `coverage` is the share of the voiced time that words cover, null where it was not measured or nothing is voiced; `partial`
 * is there, and true, where that is too little.
 */
export const OutputMetadata = z
	.object({
		word_count: z.int().describe("Words in the transcript"),
		coverage: z
			.number()
			.min(0)
			.max(1)
			.nullable()
			.describe(
				"Share of what sounds like speech that words account for, 0 to 1; null where it was not measured",
			),
		partial: z.boolean().optional().describe("There, and true, where coverage is below what is asked for"),
		languages: z.array(z.string()).describe("ISO 639 codes of the languages that were heard"),
		engine: z.string().describe("Code of the model that recognised the audio"),
		engines: z
			.array(z.string())
			.optional()
			.meta({ description: "All of them, where one had to take over from another" }),
		warnings: z.array(z.string()).describe("What a reader of the transcript should know, as sentences"),
	})
	.meta({ id: "OutputMetadata", description: "What became of the audio" });
export type OutputMetadata = z.infer<typeof OutputMetadata>;

export const JobError = z
	.object({
		code: z.string().describe("Such as `input_http_error`; new ones may be added"),
		message: z.string().describe("The reason as a sentence"),
		retryable: z.boolean().describe("Whether the same input may succeed later"),
	})
	.meta({ id: "JobError", description: "Why something failed" });
export type JobError = z.infer<typeof JobError>;

export const Job = z
	.object({
		job_id: z.string().describe("Unique within the organisation"),
		organisation_id: Uuid,
		api_key_id: Uuid.nullable().describe(
			"API key that submitted the job; null when a person did, in the console",
		),
		submitted_by: z
			.string()
			.describe("Who submitted the job: `api_key:<id>` or `user:<id>`")
			.meta({ example: "api_key:01938f5e-7c00-7000-8000-0000000000e1" }),
		model_code: z.string().describe("Of the model that was chosen"),
		status: JobStatus,
		progress: z.number().min(0).max(1).describe("Share of the chunks that are recognised, 0 to 1"),
		job_config: JobConfig,
		metadata: z.record(z.string(), z.unknown()).nullable().describe("As it was submitted"),
		tracking: Tracking.nullable(),
		input_metadata: InputMetadata,
		output_metadata: OutputMetadata.nullable(),
		error: JobError.nullable().describe("Why the job failed; null unless it is FAILED"),
		error_message: z.string().nullable().describe("The message of `error`"),
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
		submitted_at: Timestamp.describe("When it was accepted"),
		started_at: Timestamp.nullable().describe("When its input was first worked on"),
		completed_at: Timestamp.nullable().describe("When it ended, in whatever way"),
		updated_at: Timestamp.describe("When its state or progress last changed; retries do not count"),
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
				.regex(
					new RegExp(`^(${statuses})(,(${statuses}))*$`),
					`Must be one or more of ${JOB_STATUSES.join(", ")}`,
				),
		)
		.optional()
		.meta({ description: "Repeatable, or separated by commas; any match counts" }),
	model_code: z.string().min(1).max(200).optional().describe("Jobs of this model"),
	tag: z.string().min(1).max(100).optional().describe("Jobs with this one among `tracking.tags`"),
	reference: z.string().min(1).max(500).optional().describe("Jobs with this `tracking.reference`"),
	submitted_after: z.iso.datetime({ offset: true }).optional().describe("At this time or later"),
	submitted_before: z.iso.datetime({ offset: true }).optional().describe("At this time or earlier"),
	sort_by: z
		.enum(["submitted_at", "status", "model_code"])
		.default("submitted_at")
		.describe("What to sort by"),
	sort_order: z.enum(["asc", "desc"]).default("desc").describe("Upwards or downwards"),
});
export type ListJobsQuery = z.output<typeof ListJobsQuery>;

const wait = queryInteger(0, 25, "seconds")
	.default(0)
	.meta({ description: "Seconds to hold the answer until the job has ended" });

export const GetJobQuery = z.strictObject({ wait });

export const TRANSCRIPT_FORMATS = ["json", "txt", "srt", "vtt"] as const;
export type TranscriptFormat = (typeof TRANSCRIPT_FORMATS)[number];

/** Media types of the formats, as they are stored and served. */
export const TRANSCRIPT_TYPES: Record<TranscriptFormat, string> = {
	json: "application/json",
	txt: "text/plain; charset=utf-8",
	srt: "application/x-subrip; charset=utf-8",
	vtt: "text/vtt; charset=utf-8",
};

export const GetTranscriptQuery = z.strictObject({
	format: z.enum(TRANSCRIPT_FORMATS).default("json").describe("Form of the transcript"),
	revision: RevisionSelector.default(0).describe(
		"Number of a revision, or `latest`. Default 0, the engine's own result.",
	),
	max_line_length: queryInteger(...MAX_LINE_LENGTH, "characters")
		.optional()
		.describe("Characters a line of subtitles; 37, or what the job was given, when absent"),
	max_lines: queryInteger(...MAX_LINES, "lines")
		.optional()
		.describe("Lines a subtitle; 2, or what the job was given, when absent"),
	wait,
});
export type GetTranscriptQuery = z.output<typeof GetTranscriptQuery>;

const file = {
	key: z.string().describe("Of the object in the storage"),
	s3_uri: z.string().describe("The same as `s3://` bucket and key"),
	download_url: z.string().meta({ description: "Valid for one hour; saves rather than shows" }),
	content_type: z.string().describe("Media type that it is served as"),
	size_bytes: z.int().describe("Bytes of the file"),
};

export const JobFiles = z
	.object({
		job_id: z.string().describe("The job's"),
		inputs: z.array(z.object(file)).describe("The audio; empty until it is there, and after its retention"),
		outputs: z
			.array(z.object({ format: z.enum(TRANSCRIPT_FORMATS).describe("Of this transcript"), ...file }))
			.describe("The transcripts; empty until they are written, and after their retention"),
	})
	.meta({ id: "JobFiles" });
export type JobFiles = z.infer<typeof JobFiles>;

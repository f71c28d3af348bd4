import { z } from "zod";
import { isInert } from "../shared/media-types.ts";
import { MAX_PUT_BYTES } from "./input-sizes.ts";
import { EXTRA_CONFIGS, OutputConfig, Tracking, TranscriptionConfig } from "./job-configs.ts";
import { NotificationConfig } from "./webhooks.ts";

export const JOB_ID = /^[a-zA-Z0-9]+$/;
export const JOB_ID_MESSAGE = "job_id must be alphanumeric";

export const Filename = z.string().min(1).max(1024).meta({
	description: "What the file is called in the storage: its last part, as far as that is safe in a URL",
	example: "interview.mp3",
});
export const ContentType = z
	.string()
	.max(255)
	.regex(/^[\w.+-]+\/[\w.+-]+( *; *[\w.+-]+=([\w.+-]+|"[^"\\]*"))*$/, "Not a media type such as audio/mpeg")
	.refine(isInert, "Must be a type of audio or video, text/plain or application/octet-stream")
	.meta({ example: "audio/mpeg" });

const MAX_METADATA_BYTES = 16 * 1024;
const jsonBytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).byteLength;

const fields = z.strictObject({
	mode: z.literal("presign").optional().meta({
		description: "Asks for an upload URL; no job is made until its `s3_key` is submitted",
	}),
	input_url: z
		.string()
		.min(1)
		.max(8192)
		.optional()
		.describe("Public https address of the audio, 5 GiB at most"),
	s3_key: z
		.string()
		.min(1)
		.max(1024)
		.optional()
		.describe("Of an upload, from a presign call or one in parts; it is used by one job only"),
	input_base64: z
		.string()
		.min(1)
		.optional()
		.describe("The audio in base64 (RFC 4648), within a request of 10 MB in all"),
	input_filename: z
		.string()
		.min(1)
		.max(1024)
		.optional()
		.describe("Required with `input_base64`; its extension says what type the audio is stored as"),
	filename: Filename.optional().meta({
		description: "Presign only: what the file is called in the storage; `audio` when absent",
	}),
	content_type: ContentType.optional().meta({
		description: "Presign only; application/octet-stream when absent",
	}),
	size_bytes: z
		.int()
		.min(1)
		.max(
			MAX_PUT_BYTES,
			`Must be at most ${MAX_PUT_BYTES} bytes, 5 MiB less than 5 GiB; a larger file is uploaded in parts (POST /v1/batch/uploads)`,
		)
		.optional()
		.meta({
			description:
				"Presign only, in bytes; when given, an upload of any other length is refused. At most 5 MiB less than 5 GiB, which is what one PUT can hold; up to 5 GiB goes up in parts",
		}),
	// Its pattern is checked below: the refusal of a bad id is one fixed sentence without the field's name.
	job_id: z.string().max(128).optional().meta({
		pattern: JOB_ID.source,
		description: "Letters and digits, 128 at most; makes the call safe to repeat. Generated when absent",
	}),
	model_code: z
		.string()
		.min(1)
		.max(200)
		.optional()
		.describe("A model of the catalog; the deployment's default when absent"),
	metadata: z
		.record(z.string(), z.unknown())
		.refine((metadata) => jsonBytes(metadata) <= MAX_METADATA_BYTES, "At most 16 KiB as JSON")
		.optional()
		.describe("The caller's own, 16 KiB at most as JSON; kept and shown as it is"),
	transcription_config: TranscriptionConfig.optional(),
	...optional(EXTRA_CONFIGS),
	output_config: OutputConfig.optional(),
	tracking: Tracking.optional(),
	notification_config: NotificationConfig.optional(),
});

/** The body of a submission or of a presign call. */
export const SubmitJob = fields
	.check(({ value, issues }) => {
		const refuse = (path: string[], message: string) =>
			issues.push({ code: "custom", path, message, input: value });
		if (value.job_id !== undefined && !JOB_ID.test(value.job_id)) refuse([], JOB_ID_MESSAGE);
		const inputs = INPUTS.filter((name) => value[name] !== undefined);
		if (value.mode === "presign") {
			for (const name of inputs)
				refuse(
					[name],
					"Not allowed with mode presign: send it without mode, or submit the s3_key of the presign call",
				);
		} else {
			if (inputs.length !== 1)
				refuse(
					[],
					`Exactly one of input_url, s3_key and input_base64 is required; ${counted(inputs.length)}`,
				);
			for (const name of ["filename", "content_type", "size_bytes"] as const)
				if (value[name] !== undefined) refuse([name], "Only allowed with mode presign: remove it");
		}
		if (value.input_base64 !== undefined && value.input_filename === undefined)
			refuse(["input_filename"], "Required with input_base64: name the file, such as clip.wav");
		if (value.input_base64 === undefined && value.input_filename !== undefined)
			refuse(["input_filename"], "Only allowed with input_base64: remove it");
	})
	.meta({
		id: "SubmitJob",
		example: {
			input_url: "https://example.com/interview.mp3",
			transcription_config: { language: "en" },
			tracking: { reference: "case-4711" },
		},
	});
export type SubmitJob = z.output<typeof SubmitJob>;

/** Response to an accepted submission. */
export const QueuedJob = z
	.object({
		job_id: z.string().describe("The one given, or generated"),
		status: z
			.literal("QUEUED")
			.describe("Also where the same submission is repeated and the job has gone on"),
	})
	.meta({ id: "QueuedJob" });
export type QueuedJob = z.infer<typeof QueuedJob>;

/** Presigned URL of an upload. `expires_in` is in seconds. The upload must send exactly `headers`. */
export const PresignedUpload = z
	.object({
		job_id: z.string().describe("Reserved for the job of this upload, for a day"),
		transcription_config: TranscriptionConfig,
		input_s3_uri: z.string().describe("Where the audio will be"),
		output_s3_prefix: z.string().describe("Where the transcripts will be"),
		upload: z
			.object({
				url: z.string().describe("To PUT the audio to"),
				s3_key: z.string().describe("To be submitted once the audio is there"),
				s3_uri: z.string().describe("The same as `s3://` bucket and key"),
				expires_in: z.int().describe("Seconds for which the URL is good"),
				headers: z
					.object({
						"Content-Type": z.string().describe("The media type that was asked for"),
						"Content-Length": z.string().optional().describe("Bytes, where `size_bytes` was given"),
					})
					.describe("The PUT must send exactly these"),
			})
			.describe("How to upload"),
		tracking: Tracking.optional(),
		output_config: OutputConfig.optional(),
	})
	.meta({ id: "PresignedUpload" });
export type PresignedUpload = z.infer<typeof PresignedUpload>;

const INPUTS = ["input_url", "s3_key", "input_base64"] as const;
const counted = (inputs: number) => (inputs === 0 ? "none was given" : `${inputs} were given`);

function optional<const T extends Record<string, z.ZodType>>(
	schemas: T,
): { [K in keyof T]: z.ZodOptional<T[K]> } {
	const entries = Object.entries(schemas).map(([name, schema]) => [name, schema.optional()]);
	return Object.fromEntries(entries);
}

import { z } from "zod";
import { Timestamp, Uuid } from "../shared/common.ts";
import { MAX_INPUT_BYTES, PART_BYTES } from "./input-sizes.ts";
import { ContentType, Filename, JOB_ID, JOB_ID_MESSAGE } from "./job-submission.ts";

const partSizes = `Must be from ${PART_BYTES.min} to ${PART_BYTES.max} bytes (5 MiB to 1 GiB)`;

/** Begins an upload in parts, for the input of one job. */
export const CreateUpload = z
	.strictObject({
		filename: Filename,
		content_type: ContentType.optional().meta({ description: "application/octet-stream when absent" }),
		size_bytes: z.int().min(1).max(MAX_INPUT_BYTES).meta({ description: "Bytes of the whole file" }),
		part_size: z
			.int()
			.min(PART_BYTES.min, partSizes)
			.max(PART_BYTES.max, partSizes)
			.default(PART_BYTES.default)
			.meta({ description: "Of every part but the last, in bytes" }),
		job_id: z.string().max(128).optional().meta({
			pattern: JOB_ID.source,
			description:
				"Of the job that the upload is for; the same call finds the upload again. Generated when absent",
		}),
		checksum_sha256: z
			.string()
			.regex(/^[0-9a-f]{64}$/, "Not a SHA-256 in lower-case hex")
			.optional()
			.meta({ description: "Of the whole file; a job whose audio has another one fails" }),
	})
	.check(({ value, issues }) => {
		if (value.job_id === undefined || JOB_ID.test(value.job_id)) return;
		issues.push({ code: "custom", path: [], message: JOB_ID_MESSAGE, input: value });
	})
	.meta({
		id: "CreateUpload",
		example: { filename: "interview.mp3", content_type: "audio/mpeg", size_bytes: 48_211_968 },
	});
export type CreateUpload = z.output<typeof CreateUpload>;

const upload = {
	upload_id: Uuid,
	job_id: z.string().describe("Reserved for the job of this upload"),
	s3_key: z.string().describe("To be submitted once the upload is complete"),
	s3_uri: z.string().describe("The same as `s3://` bucket and key"),
	size_bytes: z.int().describe("Bytes of the whole file"),
	part_size: z.int().describe("Bytes of every part but the last"),
	part_count: z.int().describe("How many parts there are"),
	expires_at: Timestamp.meta({ description: "When the upload lapses unless a job was made of it" }),
};

export const BegunUpload = z.object(upload).meta({ id: "BegunUpload" });
export type BegunUpload = z.infer<typeof BegunUpload>;

const PartNumber = z.int().min(1).max(10_000).describe("From 1");

export const PresignParts = z
	.strictObject({
		part_numbers: z.array(PartNumber).min(1).max(100).describe("Of the parts to be sent next"),
	})
	.meta({ id: "PresignParts" });
export type PresignParts = z.output<typeof PresignParts>;

/** Presigned URLs of parts. `expires_in` is in seconds. Each request must send exactly `headers`. */
export const PresignedParts = z
	.object({
		upload_id: Uuid,
		parts: z
			.array(
				z.object({
					part_number: PartNumber,
					url: z.string().describe("To PUT the part to"),
					size_bytes: z.int().describe("Bytes of this part"),
					headers: z
						.object({ "Content-Length": z.string().describe("Bytes of this part") })
						.describe("The PUT must send exactly these"),
				}),
			)
			.describe("In the order in which they were asked for"),
		expires_in: z.int().describe("Seconds for which the URLs are good"),
	})
	.meta({ id: "PresignedParts" });
export type PresignedParts = z.infer<typeof PresignedParts>;

export const StoredPart = z.object({
	part_number: PartNumber,
	size_bytes: z.int().describe("Bytes of this part"),
	etag: z.string().describe("As the PUT answered it, without quotes"),
});
export type StoredPart = z.infer<typeof StoredPart>;

export const Upload = z
	.object({
		...upload,
		status: z.enum(["open", "completed", "aborted"]).describe("Whether it still takes parts"),
		parts: z.array(StoredPart).nullable().meta({
			description:
				"The parts that have arrived; null where the storage does not tell (the local simulator) or the upload is not open. Keep the ETag of each PUT: completion asks for them",
		}),
	})
	.meta({ id: "Upload" });
export type Upload = z.infer<typeof Upload>;

export const CompleteUpload = z
	.strictObject({
		parts: z
			.array(
				z.strictObject({
					part_number: PartNumber,
					etag: z.string().min(1).max(256).meta({
						description: "As the PUT answered it, quoted or not",
						example: '"9e107d9d372bb6826bd81d3542a419d6"',
					}),
				}),
			)
			.min(1)
			.max(10_000)
			.describe("All parts of the upload, in any order"),
	})
	.meta({ id: "CompleteUpload" });
export type CompleteUpload = z.output<typeof CompleteUpload>;

export const CompletedUpload = z
	.object({
		upload_id: Uuid,
		job_id: upload.job_id,
		s3_key: upload.s3_key.describe("To be submitted as a job now"),
		s3_uri: upload.s3_uri,
		size_bytes: upload.size_bytes,
		completed_at: Timestamp.describe("When the parts became one file"),
	})
	.meta({ id: "CompletedUpload" });
export type CompletedUpload = z.infer<typeof CompletedUpload>;

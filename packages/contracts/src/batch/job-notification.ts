import { z } from "zod";
import { Timestamp } from "../shared/common.ts";
import { Job, JobStatus } from "./jobs.ts";
import { Transcript } from "./transcript.ts";
import { JOB_EVENTS } from "./webhooks.ts";

/** Body of a webhook: the end of a job. */
export const JobNotification = z
	.object({
		type: z.enum(JOB_EVENTS).describe("How the job ended"),
		timestamp: Timestamp.describe("When the job ended"),
		data: z
			.object({
				job: z
					.union([Job, z.object({ job_id: Job.shape.job_id, status: JobStatus })])
					.describe("Record of the job, or its id and status when `contents` lacks `jobinfo`"),
				"transcript.json": Transcript.optional(),
				"transcript.txt": z.string().optional().describe("Transcript as plain text"),
				"transcript.srt": z.string().optional().describe("Transcript as SubRip subtitles"),
				"transcript.vtt": z.string().optional().describe("Transcript as WebVTT subtitles"),
				omitted: z
					.array(
						z.object({
							content: z.string().describe("Entry of `contents` that is left out"),
							path: z.string().describe("Path from which to fetch it"),
						}),
					)
					.optional()
					.describe("Transcripts over 1 MiB, which are fetched instead of sent"),
			})
			.describe("What `contents` of the notification asked for"),
	})
	.meta({
		id: "JobNotification",
		example: {
			type: "job.completed",
			timestamp: "2026-11-20T09:31:42.118Z",
			data: {
				job: { job_id: "job756f2fe4ebad4014a4eb822ea46504ed", status: "DONE" },
				"transcript.txt": "we have received your payment and the order will be sent on monday",
			},
		},
	});
export type JobNotification = z.infer<typeof JobNotification>;

/** Headers of a webhook, by the Standard Webhooks scheme. */
export const WebhookHeaders = z.object({
	"webhook-id": z.string().meta({
		description: "Id of the delivery, the same for every attempt. Use it to discard duplicates.",
		example: "01938f5e-7c00-7000-8000-0000000000d1",
	}),
	"webhook-timestamp": z.string().meta({
		description: "Unix time of the attempt in seconds. Reject what is older than five minutes.",
		example: "1763631102",
	}),
	"webhook-signature": z.string().meta({
		description:
			"One `v1,<base64>` HMAC-SHA256 over `<id>.<timestamp>.<body>` per signing secret, separated by spaces. Accept the request if any matches.",
		example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
	}),
});

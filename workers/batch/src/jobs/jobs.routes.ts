import { PresignedUpload, QueuedJob, SubmitJob } from "@parley/contracts/batch/job-submission";
import { GetJobQuery, Job, JobPage, ListJobsQuery } from "@parley/contracts/batch/jobs";
import { createBatchRouter } from "../context.ts";
import { JobPath } from "../job-path.ts";
import { presignUpload } from "../uploads/presign-upload.ts";
import { cancelJob, deleteJob, getJob, listJobs } from "./jobs.service.ts";
import { submitJob } from "./submit-job.ts";

export const jobRoutes = createBatchRouter();

jobRoutes.route(
	{
		method: "post",
		path: "/v1/batch/jobs",
		operationId: "submitJob",
		summary: "Submit a job",
		description:
			"Queues audio for transcription. Send exactly one of `input_url`, `s3_key` (from an upload) and `input_base64`.\n\nWith `mode` `presign` no job is created: the answer is 200 with a URL to upload to, and the job is submitted afterwards with the `s3_key` of that answer.\n\nA `job_id` makes the call safe to repeat: the same body gets the first answer again, another body is rejected with 409. Features that no engine of the deployment offers are accepted; the transcript then says why they are missing.",
		tag: "Batch",
		access: "batch:write",
		mcp: { openWorldHint: true },
		body: SubmitJob,
		status: 202,
		location: "/v1/batch/jobs/{job_id}",
		response: QueuedJob,
		otherResponses: {
			200: {
				description: "Where to upload to; no job exists yet",
				content: { "application/json": { schema: PresignedUpload } },
			},
		},
		errors: ["INSUFFICIENT_CREDITS", "JOB_CONFLICT", "UNSUPPORTED_MEDIA_TYPE"],
		idempotent: true,
	},
	async ({ ctx, body, reply }) =>
		body.mode === "presign" ? reply(200, await presignUpload(ctx, body)) : submitJob(ctx, body),
);

jobRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs",
		operationId: "listJobs",
		summary: "List jobs",
		description: "Returns the organisation's jobs, newest first by default.",
		tag: "Batch",
		access: "batch:read",
		mcp: true,
		query: ListJobsQuery,
		response: JobPage,
	},
	({ ctx, query }) => listJobs(ctx, query),
);

jobRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}",
		operationId: "getJob",
		summary: "Get a job",
		description:
			"Returns the record of a job. With `wait` the answer is held until the job has ended, or for so many seconds.",
		tag: "Batch",
		access: "batch:read",
		mcp: true,
		params: JobPath,
		query: GetJobQuery,
		response: Job,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params, query }) => getJob(ctx, params.job_id, query.wait),
);

jobRoutes.route(
	{
		method: "post",
		path: "/v1/batch/jobs/{job_id}/cancel",
		operationId: "cancelJob",
		summary: "Cancel a job",
		description: "Stops a job that has not ended. Work that is under way may take a few seconds to stop.",
		tag: "Batch",
		access: "batch:write",
		mcp: { destructiveHint: true },
		params: JobPath,
		response: Job,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	({ ctx, params }) => cancelJob(ctx, params.job_id),
);

jobRoutes.route(
	{
		method: "delete",
		path: "/v1/batch/jobs/{job_id}",
		operationId: "deleteJob",
		summary: "Delete a job",
		description: "Deletes a job that has ended, with its audio and transcripts. Cancel a running job first.",
		tag: "Batch",
		access: "batch:write",
		params: JobPath,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	({ ctx, params }) => deleteJob(ctx, params.job_id),
);

import { PresignedUpload, QueuedJob, SubmitJob } from "@parley/contracts/job-submission";
import { GetJobQuery, Job, JobPage, ListJobsQuery } from "@parley/contracts/jobs";
import { createBatchRouter } from "../context.ts";
import { presignUpload } from "../uploads/presign-upload.ts";
import { JobPath } from "./job-path.ts";
import { cancelJob, deleteJob, getJob, listJobs } from "./jobs.service.ts";
import { submitJob } from "./submit-job.ts";

export const jobRoutes = createBatchRouter();

jobRoutes.route(
	{
		method: "post",
		path: "/v1/batch/jobs",
		operationId: "submitJob",
		summary: "Submit audio, or ask for an upload URL with `mode: presign`",
		description:
			"Audio comes as exactly one of `input_url`, `s3_key` (from a presign call) and `input_base64`. A `job_id` makes the call safe to repeat: the same body is answered as it was before, another body is refused.",
		tag: "Batch",
		access: "batch:write",
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
		summary: "Jobs, newest first unless asked otherwise",
		tag: "Batch",
		access: "batch:read",
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
		summary: "A job's record; `wait` holds the answer until the job has ended",
		tag: "Batch",
		access: "batch:read",
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
		summary: "Stop a job that has not ended",
		tag: "Batch",
		access: "batch:write",
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
		summary: "Remove a job that has ended, with its inputs and outputs",
		tag: "Batch",
		access: "batch:write",
		params: JobPath,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	({ ctx, params }) => deleteJob(ctx, params.job_id),
);

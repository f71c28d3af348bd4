import { JobFiles } from "@parley/contracts/jobs";
import { createBatchRouter } from "../context.ts";
import { JobPath } from "../jobs/job-path.ts";
import { getJobFiles } from "./files.service.ts";

export const fileRoutes = createBatchRouter();

fileRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}/files",
		operationId: "getJobFiles",
		summary: "A job's audio and transcripts, with links that work for an hour",
		tag: "Batch",
		access: "batch:read",
		params: JobPath,
		response: JobFiles,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getJobFiles(ctx, params.job_id),
);

import { JobFiles } from "@parley/contracts/batch/jobs";
import { createBatchRouter } from "../context.ts";
import { JobPath } from "../job-path.ts";
import { getJobFiles } from "./files.service.ts";

export const fileRoutes = createBatchRouter();

fileRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}/files",
		operationId: "getJobFiles",
		summary: "List the files of a job",
		description:
			"Returns the audio and the transcripts of a job with download links. The links work for one hour and save the file.",
		tag: "Batch",
		access: "batch:read",
		params: JobPath,
		response: JobFiles,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getJobFiles(ctx, params.job_id),
);

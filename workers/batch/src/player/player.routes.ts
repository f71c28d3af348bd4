import { JobAudio, JobPeaks } from "@parley/contracts/batch/peaks";
import { createBatchRouter } from "../context.ts";
import { JobPath } from "../job-path.ts";
import { getAudio } from "./audio.service.ts";
import { getPeaks } from "./peaks.service.ts";

export const playerRoutes = createBatchRouter();

playerRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}/peaks",
		operationId: "getJobPeaks",
		summary: "Get the waveform of a job",
		description:
			"Returns the loudest sample of each twentieth of a second, one byte each, so that a player draws the waveform without reading the audio. `status` says when there are none: the job has not ended, or it has no peaks.",
		tag: "Batch",
		access: "batch:read",
		params: JobPath,
		response: JobPeaks,
		errors: ["RESOURCE_NOT_FOUND"],
		etag: true,
	},
	({ ctx, params }) => getPeaks(ctx, params.job_id),
);

playerRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}/audio",
		operationId: "getJobAudio",
		summary: "Get a playback URL",
		description:
			"Returns a signed URL of a job's audio for a player. The URL works for one hour without a key. It answers range requests, and its media type is that of the bytes. Returns 409 until the audio has been fetched.",
		tag: "Batch",
		access: "batch:read",
		params: JobPath,
		response: JobAudio,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	({ ctx, params }) => getAudio(ctx, params.job_id),
);

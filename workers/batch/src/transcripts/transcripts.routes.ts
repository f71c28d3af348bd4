import { GetTranscriptQuery } from "@parley/contracts/batch/jobs";
import { Transcript } from "@parley/contracts/batch/transcript";
import { z } from "zod";
import { createBatchRouter } from "../context.ts";
import { JobPath } from "../job-path.ts";
import { getTranscript } from "./transcripts.service.ts";

export const transcriptRoutes = createBatchRouter();

const text = { schema: z.string() };

transcriptRoutes.route(
	{
		method: "get",
		path: "/v1/batch/jobs/{job_id}/transcript",
		operationId: "getTranscript",
		summary: "Get a transcript",
		description:
			"Returns the transcript of a job that is `DONE`, as JSON, text, SRT or WebVTT. With `revision` it is an edited state of it. Subtitles are wrapped anew when the query gives other limits. With `wait` the answer is held until the job has ended.",
		tag: "Batch",
		access: "batch:read",
		mcp: true,
		params: JobPath,
		query: GetTranscriptQuery,
		status: 200,
		otherResponses: {
			200: {
				description: "The transcript in the format that was asked for",
				content: {
					"application/json": { schema: Transcript },
					"text/plain": text,
					"application/x-subrip": text,
					"text/vtt": text,
				},
			},
		},
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	async ({ ctx, params, query }) => {
		const { body, contentType } = await getTranscript(ctx, params.job_id, query);
		return new Response(body, { headers: { "content-type": contentType } });
	},
);

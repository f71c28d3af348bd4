import { BulkDownload, BulkLinks, BulkResult, BulkSelection } from "@parley/contracts/batch/bulk";
import { z } from "zod";
import { createBatchRouter } from "../context.ts";
import { cancelJobs, deleteJobs } from "./bulk.service.ts";
import { downloadLinks, downloadZip } from "./download-transcripts.ts";

export const bulkRoutes = createBatchRouter();

bulkRoutes.route(
	{
		method: "post",
		path: "/v1/batch/bulk/cancel",
		operationId: "cancelJobs",
		summary: "Cancel several jobs",
		description:
			"Cancels up to 100 jobs that have not ended, by id or by filter. Each job succeeds or fails for itself; `failed` says why.",
		tag: "Batch",
		access: "batch:write",
		body: BulkSelection,
		response: BulkResult,
	},
	({ ctx, body }) => cancelJobs(ctx, body),
);

bulkRoutes.route(
	{
		method: "post",
		path: "/v1/batch/bulk/delete",
		operationId: "deleteJobs",
		summary: "Delete several jobs",
		description:
			"Deletes up to 100 jobs that have ended, with their audio and transcripts, by id or by filter. Each job succeeds or fails for itself; `failed` says why. The jobs are gone at once; their ids are free again when their files are removed, seconds later.",
		tag: "Batch",
		access: "batch:write",
		body: BulkSelection,
		response: BulkResult,
	},
	({ ctx, body }) => deleteJobs(ctx, body),
);

bulkRoutes.route(
	{
		method: "post",
		path: "/v1/batch/bulk/download",
		operationId: "downloadTranscripts",
		summary: "Download several transcripts",
		description:
			"Returns the transcripts of up to 100 jobs in one format: a ZIP archive, or with `as` `links` one signed URL each. Jobs without a transcript are named in `failed`, which is the file `failed.json` of an archive. The header `X-Has-More` of an archive says whether further jobs match the filter.",
		tag: "Batch",
		access: "batch:read",
		body: BulkDownload,
		status: 200,
		otherResponses: {
			200: {
				description: "The transcripts",
				content: {
					"application/zip": { schema: z.string().meta({ format: "binary" }) },
					"application/json": { schema: BulkLinks },
				},
			},
		},
	},
	({ ctx, body }) => (body.as === "zip" ? downloadZip(ctx, body) : downloadLinks(ctx, body)),
);

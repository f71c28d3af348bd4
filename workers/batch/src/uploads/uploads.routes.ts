import {
	BegunUpload,
	CompletedUpload,
	CompleteUpload,
	CreateUpload,
	PresignedParts,
	PresignParts,
	Upload,
} from "@parley/contracts/batch/uploads";
import { z } from "zod";
import { createBatchRouter } from "../context.ts";
import { completeUpload } from "./complete-upload.ts";
import { abortUpload, createUpload, getUpload, presignParts } from "./uploads.service.ts";

export const uploadRoutes = createBatchRouter();

const UploadPath = z.object({ upload_id: z.string().describe("As the upload's begin answered it") });

uploadRoutes.route(
	{
		method: "post",
		path: "/v1/batch/uploads",
		operationId: "createUpload",
		summary: "Start a multipart upload",
		description:
			"Starts an upload of up to 5 GiB in parts, which can be resumed. Request URLs for the parts, PUT each part, complete the upload with the parts' ETags, then submit its `s3_key` as a job.\n\nWith a `job_id` the same call returns the upload that it started.",
		tag: "Batch",
		access: "batch:write",
		body: CreateUpload,
		status: 201,
		location: "/v1/batch/uploads/{upload_id}",
		response: BegunUpload,
		errors: ["INSUFFICIENT_CREDITS", "JOB_CONFLICT", "UNSUPPORTED_MEDIA_TYPE"],
		idempotent: true,
	},
	({ ctx, body }) => createUpload(ctx, body),
);

uploadRoutes.route(
	{
		method: "get",
		path: "/v1/batch/uploads/{upload_id}",
		operationId: "getUpload",
		summary: "Get a multipart upload",
		description: "Returns an upload and, where the storage tells, the parts that have arrived.",
		tag: "Batch",
		access: "batch:read",
		params: UploadPath,
		response: Upload,
		errors: ["RESOURCE_NOT_FOUND"],
	},
	({ ctx, params }) => getUpload(ctx, params.upload_id),
);

uploadRoutes.route(
	{
		method: "post",
		path: "/v1/batch/uploads/{upload_id}/parts",
		operationId: "presignParts",
		summary: "Create upload URLs for parts",
		description:
			"Returns a URL per part to PUT it to. The URLs work for one hour; request new ones to resume later.",
		tag: "Batch",
		access: "batch:write",
		params: UploadPath,
		body: PresignParts,
		response: PresignedParts,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	({ ctx, params, body }) => presignParts(ctx, params.upload_id, body),
);

uploadRoutes.route(
	{
		method: "post",
		path: "/v1/batch/uploads/{upload_id}/complete",
		operationId: "completeUpload",
		summary: "Complete a multipart upload",
		description: "Joins the parts to one file. Its `s3_key` can then be submitted as a job.",
		tag: "Batch",
		access: "batch:write",
		params: UploadPath,
		body: CompleteUpload,
		response: CompletedUpload,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	({ ctx, params, body }) => completeUpload(ctx, params.upload_id, body),
);

uploadRoutes.route(
	{
		method: "delete",
		path: "/v1/batch/uploads/{upload_id}",
		operationId: "abortUpload",
		summary: "Abort a multipart upload",
		description: "Deletes the parts of an upload and frees its `job_id`.",
		tag: "Batch",
		access: "batch:write",
		params: UploadPath,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	({ ctx, params }) => abortUpload(ctx, params.upload_id),
);

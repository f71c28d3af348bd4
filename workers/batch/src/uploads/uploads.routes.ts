import {
	BegunUpload,
	CompletedUpload,
	CompleteUpload,
	CreateUpload,
	PresignedParts,
	PresignParts,
	Upload,
} from "@parley/contracts/uploads";
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
		summary: "Begin an upload in parts, up to 5 GiB, that can be resumed",
		description:
			"Ask for URLs of the parts, PUT each, complete the upload with their ETags, then submit its `s3_key` as a job. With a `job_id` the same call finds the upload that it began.",
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
		summary: "An upload, and which of its parts have arrived where the storage tells",
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
		summary: "URLs for PUTs of parts, good for an hour; ask again to resume",
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
		summary: "Make one file of the parts; its `s3_key` can then be submitted",
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
		summary: "Give an upload up; its parts are removed and its `job_id` is free again",
		tag: "Batch",
		access: "batch:write",
		params: UploadPath,
		errors: ["RESOURCE_NOT_FOUND", "JOB_CONFLICT"],
	},
	({ ctx, params }) => abortUpload(ctx, params.upload_id),
);

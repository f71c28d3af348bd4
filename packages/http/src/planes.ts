import { batchKey, bearerKey } from "@parley/auth/credentials";
import { ApiError } from "@parley/contracts/api-error";
import { BatchErrorBody, ErrorBody } from "@parley/contracts/error-bodies";
import { AGENTS_ERRORS, BATCH_ERRORS, PLATFORM_ERRORS } from "@parley/contracts/error-codes";
import type { Plane } from "./plane.ts";

const renderError: Plane["render"] = (error, rule, requestId): ErrorBody => ({
	detail: error.message,
	error: {
		code: error.code,
		message: error.message,
		retryable: error.retryable ?? rule.retryable,
		request_id: requestId,
		...(error.fields && { fields: error.fields }),
		...(error.blockers && { blockers: error.blockers }),
	},
});

export const agentsPlane: Plane = {
	name: "agents",
	errors: AGENTS_ERRORS,
	invalidCode: "VALIDATION_FAILED",
	errorBody: ErrorBody,
	render: renderError,
	credential: bearerKey,
	missingKey: "Missing API key: send the header Authorization: Bearer <key>",
	admit: (actor) => {
		if (actor.family === "batch") throw new ApiError("FORBIDDEN", "Batch keys cannot use the agents API");
	},
	securitySchemes: ["bearer"],
	maxBodyBytes: 1024 * 1024,
};

export const platformPlane: Plane = {
	...agentsPlane,
	name: "platform",
	errors: PLATFORM_ERRORS,
	invalidCode: "INVALID_REQUEST",
	admit: (actor, _env, { access }) => {
		if (actor.family !== "batch" || access === "any-key" || access === "open") return;
		throw new ApiError("FORBIDDEN", "Batch keys can use only the batch API and the account");
	},
};

export const batchPlane: Plane = {
	name: "batch",
	errors: BATCH_ERRORS,
	invalidCode: "INVALID_REQUEST",
	errorBody: BatchErrorBody,
	render: (error): BatchErrorBody => {
		const [field] = error.fields ?? [];
		return { error: field?.path ? `${field.path}: ${field.message}` : (field?.message ?? error.message) };
	},
	credential: batchKey,
	// The contract of the batch API has one message for every 401.
	missingKey: "Invalid API key",
	admit: (actor, env) => {
		if (actor.family === "batch" || env.BATCH_ACCEPTS_CONSUMER_KEYS !== "false") return;
		throw new ApiError("AUTH_REQUIRED", "Invalid API key");
	},
	securitySchemes: ["bearer", "x-api-key"],
	maxBodyBytes: 10 * 1000 * 1000,
};

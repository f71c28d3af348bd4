import { batchApiKey, bearerApiKey, consoleSession } from "@parley/auth/authenticator";
import type { Actor } from "@parley/context/actor";
import type { RevisionConflict } from "@parley/contracts/batch/revisions";
import { ApiError } from "@parley/contracts/shared/api-error";
import { BatchErrorBody, ErrorBody } from "@parley/contracts/shared/error-bodies";
import { AGENTS_ERRORS, BATCH_ERRORS, PLATFORM_ERRORS } from "@parley/contracts/shared/error-codes";
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

/** Every 401 of the batch API begins with this message of its contract. */
const INVALID_KEY = "Invalid API key";

const isBatchKey = (actor: Actor): boolean => actor.type === "api_key" && actor.family === "batch";

export const agentsPlane: Plane = {
	name: "agents",
	errors: AGENTS_ERRORS,
	invalidCode: "VALIDATION_FAILED",
	errorBody: ErrorBody,
	showsCodes: true,
	render: renderError,
	authenticators: [bearerApiKey, consoleSession],
	missingCredential: "Missing API key: send the header Authorization: Bearer <key>",
	admit: (actor) => {
		if (isBatchKey(actor)) throw new ApiError("FORBIDDEN", "Batch keys cannot use the agents API");
	},
	maxBodyBytes: 1024 * 1024,
};

/** The MCP endpoints. Each decides by itself which kinds of keys it takes beyond those of the agents plane. */
export const mcpPlane: Plane = { ...agentsPlane, name: "mcp" };

export const platformPlane: Plane = {
	...agentsPlane,
	name: "platform",
	errors: PLATFORM_ERRORS,
	admit: (actor, _env, access) => {
		if (!isBatchKey(actor) || access === "any-key" || access === "open") return;
		throw new ApiError("FORBIDDEN", "Batch keys can use only the batch API and the account");
	},
};

export const batchPlane: Plane = {
	name: "batch",
	errors: BATCH_ERRORS,
	invalidCode: "INVALID_REQUEST",
	errorBody: BatchErrorBody,
	showsCodes: false,
	render: (error): BatchErrorBody => {
		const [field] = error.fields ?? [];
		if (error.code === "AUTH_REQUIRED" && !error.message.startsWith(INVALID_KEY))
			return { error: `${INVALID_KEY}: ${error.message}` };
		return {
			error: field?.path ? `${field.path}: ${field.message}` : (field?.message ?? error.message),
			...(error.conflict !== undefined && { conflict: error.conflict as RevisionConflict }),
		};
	},
	authenticators: [batchApiKey, consoleSession],
	missingCredential: INVALID_KEY,
	admit: (actor, env) => {
		const isOwnKind = isBatchKey(actor) || actor.type === "session";
		if (isOwnKind || env.BATCH_ACCEPTS_CONSUMER_KEYS !== "false") return;
		throw new ApiError("AUTH_REQUIRED", INVALID_KEY);
	},
	maxBodyBytes: 10 * 1000 * 1000,
};

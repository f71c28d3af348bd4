/** One entry of a closed table of error codes. */
export type ErrorRule = { status: number; retryable: boolean };

const rule = (status: number, retryable = false): ErrorRule => ({ status, retryable });

/** Codes of the agents plane. The list is closed: a new way to fail gets its line here first. */
export const AGENTS_ERRORS = {
	AUTH_REQUIRED: rule(401),
	SESSION_EXPIRED: rule(401),
	FORBIDDEN: rule(403),
	FEATURE_DISABLED: rule(403),
	TOOL_TYPE_NOT_CREATABLE: rule(403),
	TOOL_READ_ONLY: rule(403),
	RESOURCE_NOT_FOUND: rule(404),
	TOOL_NOT_ATTACHED: rule(404),
	METHOD_NOT_ALLOWED: rule(405),
	REGION_UNKNOWN: rule(400),
	REGION_UNAVAILABLE: rule(503),
	TOOL_CONTEXT_BOUND: rule(400),
	VALIDATION_FAILED: rule(422),
	TOOL_NAME_CONFLICT: rule(409),
	TOOL_NOT_BUILT: rule(409),
	TOOL_CHANGED: rule(409),
	TOOL_DELETE_BLOCKED: rule(409),
	TOOL_ATTACHMENT_STALE: rule(409),
	UPGRADE_HASH_MISMATCH: rule(409),
	UPGRADE_BLOCKED: rule(409),
	AGENT_NAME_CONFLICT: rule(409),
	AGENT_INACTIVE: rule(409),
	AGENT_LOCKED: rule(409, true),
	SECRET_NAME_CONFLICT: rule(409),
	SECRET_IN_USE: rule(409),
	MCP_SERVER_NAME_CONFLICT: rule(409),
	MCP_SERVER_IN_USE: rule(409),
	MCP_CAPABILITY_UNAVAILABLE: rule(409, true),
	REVISION_CONFLICT: rule(409),
	IDEMPOTENCY_IN_PROGRESS: rule(409, true),
	IDEMPOTENCY_KEY_REUSED: rule(422),
	PRECONDITION_FAILED: rule(412),
	BODY_TOO_LARGE: rule(413),
	UNSUPPORTED_MEDIA_TYPE: rule(415),
	RATE_LIMITED: rule(429, true),
	INTERNAL_ERROR: rule(500, true),
} as const satisfies Record<string, ErrorRule>;

/** Codes of the platform host. Its body is the agents plane's, and the shared names have the same status. */
export const PLATFORM_ERRORS = {
	AUTH_REQUIRED: rule(401),
	SESSION_EXPIRED: rule(401),
	FORBIDDEN: rule(403),
	INSUFFICIENT_CREDITS: rule(402),
	RESOURCE_NOT_FOUND: rule(404),
	MODEL_NOT_FOUND: rule(404),
	METHOD_NOT_ALLOWED: rule(405),
	USER_EMAIL_CONFLICT: rule(409),
	LAST_OWNER: rule(409),
	REVISION_CONFLICT: rule(409),
	VALIDATION_FAILED: rule(422),
	REGION_UNKNOWN: rule(400),
	REGION_UNAVAILABLE: rule(503),
	UNSUPPORTED_MEDIA_TYPE: rule(415),
	IDEMPOTENCY_IN_PROGRESS: rule(409, true),
	IDEMPOTENCY_KEY_REUSED: rule(422),
	BODY_TOO_LARGE: rule(413),
	RATE_LIMITED: rule(429, true),
	ENGINE_FAILED: rule(502, true),
	INTERNAL_ERROR: rule(500, true),
} as const satisfies Record<string, ErrorRule>;

/** Codes of the batch API. They never leave: its body is `{error: string}`, the code chooses status and log line. */
export const BATCH_ERRORS = {
	AUTH_REQUIRED: rule(401),
	SESSION_EXPIRED: rule(401),
	FORBIDDEN: rule(403),
	INSUFFICIENT_CREDITS: rule(402),
	INVALID_REQUEST: rule(400),
	RESOURCE_NOT_FOUND: rule(404),
	METHOD_NOT_ALLOWED: rule(405),
	REGION_UNKNOWN: rule(400),
	REGION_UNAVAILABLE: rule(503),
	JOB_CONFLICT: rule(409),
	IDEMPOTENCY_IN_PROGRESS: rule(409, true),
	IDEMPOTENCY_KEY_REUSED: rule(422),
	PRECONDITION_FAILED: rule(412),
	BODY_TOO_LARGE: rule(413),
	UNSUPPORTED_MEDIA_TYPE: rule(415),
	RATE_LIMITED: rule(429, true),
	INTERNAL_ERROR: rule(500, true),
} as const satisfies Record<string, ErrorRule>;

export type AgentsErrorCode = keyof typeof AGENTS_ERRORS;
export type PlatformErrorCode = keyof typeof PLATFORM_ERRORS;
export type BatchErrorCode = keyof typeof BATCH_ERRORS;
export type ErrorCode = AgentsErrorCode | PlatformErrorCode | BatchErrorCode;

import type { Blocker, FieldError } from "./api-error.ts";
import type { ErrorCode } from "./error-codes.ts";

/** Description of an error code in the API reference. */
export type ErrorDescription = {
	/** Condition, and what the caller can do about it. */
	when: string;
	/** A message that the service sends with it. */
	message: string;
	fields?: FieldError[];
	blockers?: Blocker[];
};

const AGENT: Blocker = {
	resource_type: "agent",
	resource_id: "01938f5e-7c00-7000-8000-0000000000a1",
	resource_name: "Front desk",
	location: "tool_refs.0",
};
const read = (kind: string): string => `Another request changed the ${kind} at the same time; read it again`;

/** Every code of the closed tables: its condition and an example. */
export const ERROR_DESCRIPTIONS = {
	AUTH_REQUIRED: {
		when: "The request has no credential, or one that is unknown, revoked or expired. Send `Authorization: Bearer <key>`.",
		message: "Invalid API key",
	},
	SESSION_EXPIRED: {
		when: "The console session has ended. Sign in again.",
		message: "Your session has expired. Sign in again.",
	},
	FORBIDDEN: {
		when: "The credential is valid but may not do this. The message names the missing scope.",
		message: "This API key lacks the scope tools:write",
	},
	FEATURE_DISABLED: {
		when: "The organisation's feature switch for this operation is off.",
		message: "Code tools are switched off for this organisation",
	},
	INSUFFICIENT_CREDITS: {
		when: "The organisation has no audio seconds left.",
		message: "Insufficient credits",
	},
	RESOURCE_NOT_FOUND: {
		when: "The resource does not exist, is deleted, or belongs to another organisation.",
		message: "Resource not found: 01938f5e-7c00-7000-8000-000000000001",
	},
	MODEL_NOT_FOUND: {
		when: "No engine of this deployment offers the model. `GET /v1/catalog/models` lists those that exist.",
		message: "Model not found: acme/whisper",
	},
	TOOL_NOT_ATTACHED: {
		when: "The agent has no tool of this name. The message lists those that it has.",
		message: "The agent has no tool get_weathr. It has get_weather, end_call.",
	},
	METHOD_NOT_ALLOWED: {
		when: "The path does not support the method. The header `Allow` names those that it supports.",
		message: "/v1/me does not support POST. Use GET, HEAD.",
	},
	REGION_UNKNOWN: {
		when: "`X-Region-Override`, `X-World-Part-Override` or the host names no region.",
		message:
			'Unknown region "mars"; known are us-east, us-west, eu-west, eu-north, ap-south, ap-southeast, ap-northeast',
		fields: [{ path: "header.X-Region-Override", message: 'Unknown region "mars"' }],
	},
	REGION_UNAVAILABLE: {
		when: "The region exists but this deployment does not serve it.",
		message: "The region ap-south is not deployed here",
	},
	VALIDATION_FAILED: {
		when: "The body, the query or the path is not valid. `error.fields` names each rejected input.",
		message: "name: Is required",
		fields: [{ path: "name", message: "Is required" }],
	},
	INVALID_REQUEST: {
		when: "The body, the query or the path is not valid. The message begins with the rejected field.",
		message: "input_url: Is required",
	},
	TOOL_CONTEXT_BOUND: {
		when: "Tools of this type act on a live call and cannot be run by themselves.",
		message: "Tools of type end_call act on a live call and cannot be run by themselves",
	},
	TOOL_TYPE_NOT_CREATABLE: {
		when: "Tools of this type are curated. Duplicate the curated tool instead.",
		message: "Tools of type voicemail_detection are curated: duplicate the curated tool",
	},
	TOOL_READ_ONLY: {
		when: "Curated tools cannot be changed or run. Duplicate the tool first.",
		message: "Curated tools are read-only: duplicate it first",
	},
	TOOL_NAME_CONFLICT: {
		when: "Another tool of the organisation, or another test case of the tool, has this name. Choose another name.",
		message: "Another tool has this name",
		fields: [{ path: "name", message: "Another tool has this name" }],
	},
	TOOL_NOT_BUILT: {
		when: "The tool's code is not built, or was changed since. Build it with `POST /v1/agents/tools/{tool_id}/introspect`.",
		message: "The tool's code is not built",
	},
	TOOL_CHANGED: {
		when: "The tool was changed while it ran, so the run proves nothing. Run it again.",
		message: "The tool was changed while it ran",
	},
	TOOL_DELETE_BLOCKED: {
		when: "The tool is attached to an active agent. `error.blockers` lists where.",
		message: "The tool is attached to an active agent",
		blockers: [AGENT],
	},
	TOOL_ATTACHMENT_STALE: {
		when: "The attachment is gone, its pinned version has moved, or its tool is deleted. Preview again.",
		message: "The attachment has changed since the preview",
	},
	UPGRADE_HASH_MISMATCH: {
		when: "The agent or one of the versions has changed since the preview. `error.fields` names the hash; preview again.",
		message: "Something has changed since the preview; request a new preview",
		fields: [{ path: "current_config_hash", message: "Differs from the current hash" }],
	},
	UPGRADE_BLOCKED: {
		when: "The preview has blocking issues, or the target version is being built. In the latter case `retryable` is true, and `Retry-After` gives the seconds to wait.",
		message: "The upgrade is blocked: No value for the required parameter city",
		fields: [{ path: "city", message: "No value for the required parameter city" }],
	},
	AGENT_NAME_CONFLICT: {
		when: "Another agent of the organisation has this name. Choose another name.",
		message: "Another agent has this name",
		fields: [{ path: "name", message: "Another agent has this name" }],
	},
	AGENT_INACTIVE: {
		when: "The agent is inactive. Set its `status` to `active` first.",
		message: "The agent Front desk is inactive",
	},
	AGENT_LOCKED: {
		when: "A vault entry that the agent uses is being rotated. Retry after a moment.",
		message: "A vault entry that this agent uses is being rotated",
	},
	SECRET_NAME_CONFLICT: {
		when: "Another vault entry of the organisation has this name. Choose another name, or rotate the entry.",
		message: "Another vault entry has this name",
		fields: [{ path: "name", message: "Another vault entry has this name" }],
	},
	SECRET_IN_USE: {
		when: "Something still refers to the vault entry. `error.blockers` lists where.",
		message: "The vault entry is in use",
		blockers: [{ ...AGENT, location: "system_prompt" }],
	},
	MCP_SERVER_NAME_CONFLICT: {
		when: "Another MCP server of the organisation has this name. Choose another name.",
		message: "Another MCP server has this name",
		fields: [{ path: "name", message: "Another MCP server has this name" }],
	},
	MCP_SERVER_IN_USE: {
		when: "An active agent or a live call uses the server. `error.blockers` lists where.",
		message: "The MCP server is in use",
		blockers: [{ ...AGENT, location: "mcp_refs.0" }],
	},
	MCP_CAPABILITY_UNAVAILABLE: {
		when: "The MCP server does not offer the tool as it was observed. Connect to the server, then retry.",
		message: "An MCP tool has changed, or its server is not healthy",
		fields: [{ path: "mcp_refs.0.tool_name", message: "The server does not offer this tool now" }],
	},
	USER_EMAIL_CONFLICT: {
		when: "Another person of the organisation has this e-mail address. Change that person instead.",
		message: "Another person of the organisation has this address",
		fields: [{ path: "email", message: "Another person of the organisation has this address" }],
	},
	LAST_OWNER: {
		when: "The change would leave the organisation without an owner. Make somebody else an owner first.",
		message: "The organisation needs an owner. Make somebody else an owner first.",
	},
	REVISION_CONFLICT: {
		when: "Another request changed the resource at the same time. Read it again, then retry.",
		message: read("resource"),
	},
	JOB_CONFLICT: {
		when: "The state of the job or the upload does not allow this, or its id is taken. The message says why.",
		message: "The job has not ended: IN_PROGRESS",
	},
	IDEMPOTENCY_IN_PROGRESS: {
		when: "The first request with this `Idempotency-Key` is still running. Retry after `Retry-After` seconds.",
		message: "The first request with this Idempotency-Key still runs",
	},
	IDEMPOTENCY_KEY_REUSED: {
		when: "The `Idempotency-Key` belongs to another request. Use a new key.",
		message: "This Idempotency-Key was used for another request",
	},
	PRECONDITION_FAILED: {
		when: "The resource no longer matches `If-Match`. Read it again, then retry with its new ETag.",
		message: "The resource has changed since it was read",
	},
	BODY_TOO_LARGE: {
		when: "The request body is over the operation's limit. Send less, or upload audio by a presigned URL.",
		message: "Request body too large",
	},
	UNSUPPORTED_MEDIA_TYPE: {
		when: "The operation does not read this type or encoding of body. The message names those that it reads.",
		message: "Content-Type must be application/json, not application/xml",
	},
	RATE_LIMITED: {
		when: "The budget of this minute is spent. Retry after `Retry-After` seconds.",
		message: "Rate limit exceeded",
	},
	ENGINE_FAILED: {
		when: "The speech engine failed or did not answer. Retry with backoff, or name another model.",
		message: "The speech engine did not answer in time.",
	},
	INTERNAL_ERROR: {
		when: "A fault of the service. Retry with backoff, and report the request id if it persists.",
		message: "Internal server error",
	},
} as const satisfies Record<ErrorCode, ErrorDescription>;

// The reference page of error codes, made from the closed tables in packages/contracts.
import {
	AGENTS_ERRORS,
	BATCH_ERRORS,
	type ErrorCode,
	type ErrorRule,
	PLATFORM_ERRORS,
} from "@parley/contracts/error-codes";

/** Cause and remedy of each code. */
const MEANINGS = {
	AGENT_INACTIVE: "The agent is inactive. Set its `status` to `active`.",
	AGENT_LOCKED: "A vault rotation locks the agent for a moment. Send the request again.",
	AGENT_NAME_CONFLICT: "Another agent has this name. Choose another name.",
	AUTH_REQUIRED: "The key is missing, invalid, expired or revoked. Send a valid one.",
	BODY_TOO_LARGE:
		"The body is larger than the operation takes. Send less, or upload audio by a presigned URL.",
	ENGINE_FAILED: "The speech engine failed. Send the request again, or name another model.",
	FEATURE_DISABLED: "The feature is off for this organisation.",
	FORBIDDEN: "The key may not do this. The message names the scope that it lacks.",
	IDEMPOTENCY_IN_PROGRESS:
		"The first request under this `Idempotency-Key` is still running. Wait, then send it again.",
	IDEMPOTENCY_KEY_REUSED: "This `Idempotency-Key` was used with another body. Use a new key.",
	INSUFFICIENT_CREDITS: "The organisation has no credit left.",
	INTERNAL_ERROR: "Parley failed. Send the request again; report the request id if it stays.",
	INVALID_REQUEST: "A field is wrong. The message names it.",
	JOB_CONFLICT: "The job's state or its id does not allow this. The message says why.",
	MCP_CAPABILITY_UNAVAILABLE:
		"The MCP server is not healthy, or its tool has changed. Connect to it and read its tools again.",
	MCP_SERVER_IN_USE: "Agents or live calls use the MCP server. `error.blockers` lists them.",
	MCP_SERVER_NAME_CONFLICT: "Another MCP server has this name. Choose another name.",
	METHOD_NOT_ALLOWED: "The path exists, the method does not. `Allow` lists the methods.",
	MODEL_NOT_FOUND: "No such model is deployed. `GET /v1/catalog/models` lists them.",
	PRECONDITION_FAILED: "The resource has changed since you read it. Read it again and send its new ETag.",
	RATE_LIMITED: "Too many requests. Wait for the seconds in `Retry-After`.",
	REGION_UNAVAILABLE: "The region is not deployed. Name another one, or none.",
	REGION_UNKNOWN: "There is no such region or world part.",
	RESOURCE_NOT_FOUND: "Nothing with this id exists in your organisation.",
	REVISION_CONFLICT: "The resource has another revision than the one named. Read it again.",
	SECRET_IN_USE: "Something refers to the vault entry. `error.blockers` lists the references.",
	SECRET_NAME_CONFLICT: "Another vault entry has this name. Choose another name, or rotate the entry.",
	SESSION_EXPIRED: "The session has ended. Open a new one.",
	TOOL_ATTACHMENT_STALE:
		"The attachment is gone or pinned to another version, or the tool is deleted. Preview again.",
	TOOL_CHANGED: "The tool's configuration changed during the run. Run it again.",
	TOOL_CONTEXT_BOUND: "The tool acts on a live call, so it cannot be run on its own.",
	TOOL_DELETE_BLOCKED: "An active agent has the tool attached. `error.blockers` lists the agents.",
	TOOL_NAME_CONFLICT: "Another tool has this name. Choose another name.",
	TOOL_NOT_ATTACHED: "The agent has no tool of this name. The message lists those that it has.",
	TOOL_NOT_BUILT: "The code has not been built since it changed. Call `introspect`.",
	TOOL_READ_ONLY: "Curated tools cannot be changed. Duplicate the tool first.",
	TOOL_TYPE_NOT_CREATABLE: "Tools of this type are curated. Duplicate the curated tool.",
	UNSUPPORTED_MEDIA_TYPE: "The content type of the body is wrong. The message names the right one.",
	UPGRADE_BLOCKED:
		"Issues block the upgrade; the preview lists them. While the target version is being built, `retryable` is true.",
	UPGRADE_HASH_MISMATCH: "Something changed since the preview. `fields` names the hash; preview again.",
	VALIDATION_FAILED: "A field is wrong. `error.fields` names each one.",
} satisfies Record<ErrorCode, string>;

/** Returns the page in Markdown. */
export function errorCodesPage(): string {
	const table = (rules: Record<string, ErrorRule>) =>
		Object.entries(rules)
			.sort(([a], [b]) => a.localeCompare(b))
			.map(
				([code, { status, retryable }]) =>
					`| \`${code}\` | ${status} | ${retryable ? "yes" : "no"} | ${MEANINGS[code as ErrorCode]} |`,
			)
			.join("\n");
	const head = "| Code | Status | Retryable | Cause and remedy |\n| --- | --- | --- | --- |";
	return `# Error codes

Made by \`node scripts/run.mjs docs\` from the closed tables in the code.

The agents plane and the platform host answer errors as
\`{detail, error: {code, message, retryable, request_id, fields?, blockers?}}\`. \`fields\` has an entry \`{path, message}\` per wrong field. The batch API
answers \`{error: "<message>"}\`. The header \`x-request-id\` is on every answer.

\`retryable\` says whether the same request may succeed later. Wait for \`Retry-After\` where there is one, otherwise a second, and twice as long after each
attempt.

## Agents plane

${head}
${table(AGENTS_ERRORS)}

## Platform host

${head}
${table(PLATFORM_ERRORS)}

## Batch API

The code is not part of the answer. It decides the status.

${head}
${table(BATCH_ERRORS)}
`;
}

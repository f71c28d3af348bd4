import { AGENTS_ERRORS, type ErrorRule, PLATFORM_ERRORS } from "@parley/contracts/shared/error-codes";
import { ERROR_DESCRIPTIONS } from "@parley/contracts/shared/error-descriptions";

type Code = keyof typeof ERROR_DESCRIPTIONS;

/** Every code that an error body may show, by status. */
const ERRORS = Object.entries({ ...AGENTS_ERRORS, ...PLATFORM_ERRORS } as Record<string, ErrorRule>)
	.sort(([, a], [, b]) => a.status - b.status)
	.map(
		([code, { status, retryable }]) =>
			`| ${status} | \`${code}\` | ${retryable ? "yes" : "no"} | ${ERROR_DESCRIPTIONS[code as Code].when} |`,
	)
	.join("\n");

/** Rules for all operations, shown as the first page of the API reference. */
export const INTRODUCTION = `
Parley stores the tools, secrets, MCP servers and configurations of voice agents, and transcribes audio in batches or at once.
The [guides](/docs/guides) explain tasks from start to end. This page lists every operation.

# Keys

Send an API key with each request:

\`\`\`sh
curl https://parley.example/v1/me -H "Authorization: Bearer $PARLEY_API_KEY"
\`\`\`

- Consumer keys (\`parley_cu_…\`) work on every surface. Batch keys (\`parley_bt_…\`) work on the batch API and \`/v1/me\`.
- The batch API also takes the key in the header \`X-API-Key\`.
- A WebSocket takes the key in its upgrade request.
- Each key has scopes. Every operation names the scope that it needs; a key without it gets 403 \`FORBIDDEN\`.
- A key is shown once, when it is created. Revocation and expiry take effect within ten seconds everywhere.

# Requests

Bodies are JSON in UTF-8, at most 1 MiB (10 MB on the batch API). Unknown properties and unknown query parameters are rejected. Ids
are UUIDs. Times are ISO 8601 in UTC with milliseconds.

Every answer carries \`X-Request-Id\` and \`X-Parley-Version\`. Send your own \`X-Request-Id\` (8 to 128 letters, digits and \`_.:-\`) to
find a request in your logs and ours.

Answers of 201 and 202 carry \`Location\`, the path of the resource.

# Errors

\`\`\`json
{
  "detail": "name: Is required",
  "error": {
    "code": "VALIDATION_FAILED",
    "message": "name: Is required",
    "retryable": false,
    "request_id": "4f1c2a9e-6f0b-4b1d-9a52-0c6f6f0d9b7e",
    "fields": [{ "path": "name", "message": "Is required" }]
  }
}
\`\`\`

- \`fields\` names each rejected input by its dotted path. Paths of query and path parameters begin with \`query.\` and \`path.\`.
- \`blockers\` lists what prevents a deletion.
- The batch API answers \`{"error": "message"}\` instead, and 400 for invalid input.
- A resource of another organisation is answered as if it did not exist.

| Status | Code | Retryable | Meaning |
| --- | --- | --- | --- |
${ERRORS}

# Retries

Retry when \`error.retryable\` is true, when the status is 429 or 5xx, and when no answer arrived. Wait for \`Retry-After\` seconds if the
answer has it; otherwise back off exponentially with jitter. Make the request safe to repeat first: see idempotency.

# Idempotency

Operations that create or run something take the header \`Idempotency-Key\`, 1 to 255 visible ASCII characters. For 24 hours the same key
and body get the first answer again, marked with \`Idempotent-Replayed: true\`. The same key with another body is 422
\`IDEMPOTENCY_KEY_REUSED\`; a repetition while the first request is running is 409 \`IDEMPOTENCY_IN_PROGRESS\`. Keys count per
organisation and operation. A secret that an answer shows once is not shown again.

# Concurrent changes

Reads of a tool, an agent, an MCP server or a vault entry carry an \`ETag\`. Send it as \`If-None-Match\` to get 304 when nothing has changed,
or as \`If-Match\` with a change to get 412 \`PRECONDITION_FAILED\` when somebody else was faster.

# Paging

Most lists are arrays in order of name. They take \`limit\` (1 to 200, default 100) and \`offset\` (0 to 10000), and the filter \`name\`, which
may be repeated. \`X-Total-Count\` is the number of matching items, exact up to 10,000; \`Link\` with \`rel="next"\` is the path of
the next page.

Long histories (jobs, calls, versions, the audit log, the catalog) are pages \`{"items": […], "meta": {"page", "page_size", "total", "pages"}}\`. They
take \`page\` from 1 and \`page_size\` from 1 to 100.

# Rate limits

Each key has a budget per minute and plane: 600 reads, 120 writes, 30 runs or connects, unless the deployment sets others. Every answer
carries \`RateLimit-Policy\` and \`RateLimit\`: \`"read";r=599;t=42\` leaves 599 reads for 42 seconds. Beyond the budget the answer is 429
\`RATE_LIMITED\` with \`Retry-After\`.

# Regions

\`X-Region-Override: eu-west\` chooses a region, \`X-World-Part-Override: eu\` the nearest region of a world part. Without them the host decides
(\`eu-west.<base host>\`), otherwise the nearest region. The answer's \`X-Region\` names the chosen one. An unknown value is 400
\`REGION_UNKNOWN\`; a region that is not deployed is 503 \`REGION_UNAVAILABLE\`. Every key works in every region.

# Webhooks

A batch job can notify up to three URLs when it ends, by the [Standard Webhooks](https://www.standardwebhooks.com) scheme. A request that is
not answered with 2xx is repeated after 30 seconds, 2 minutes, 10 minutes, 1 hour and 6 hours. See
[Receive webhooks](/docs/guides/how-to/receive-webhooks) and the webhook \`jobEnded\` below.

# Browsers

Scripts of other origins may call the API when the deployment lists their origin in \`CORS_ORIGINS\`. Browser credentials are never allowed:
such scripts send an API key too. Keep keys out of public pages.

# Versions

Paths carry the major version. \`X-Parley-Version\` is the release, as \`v<major>.<minor>.<patch>\`. Within \`/v1\` answers may gain
properties, and closed lists may gain values in a minor release.
`.trim();

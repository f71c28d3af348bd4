import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ErrorCode } from "@parley/contracts/shared/error-codes";
import { ERROR_DESCRIPTIONS } from "@parley/contracts/shared/error-descriptions";
import { z } from "zod";
import { documentedHeaders } from "../headers/answer-headers.ts";
import type { Plane } from "../planes/plane.ts";
import { type RouteSpec, successStatus } from "../route.ts";
import { describeParameters } from "./parameters.ts";

type RouteConfig = Parameters<OpenAPIHono["openAPIRegistry"]["registerPath"]>[0];

const NO_QUERY = z.strictObject({});

/** The query that an operation takes: none, where it declares none. A `raw` route reads its request itself. */
export const queryOf = (spec: RouteSpec): z.ZodObject | undefined =>
	spec.query ?? (spec.raw ? undefined : NO_QUERY);

/** Every code that an operation may answer: its own, and those that its kind of route brings. */
export function errorCodesOf(plane: Plane, spec: RouteSpec): ErrorCode[] {
	const codes = new Set<ErrorCode>([
		"RATE_LIMITED",
		"INTERNAL_ERROR",
		"AUTH_REQUIRED",
		"SESSION_EXPIRED",
		"REGION_UNKNOWN",
		"REGION_UNAVAILABLE",
		...(spec.errors ?? []),
	]);
	if (spec.access !== "open") codes.add("FORBIDDEN");
	if (spec.params || spec.body || queryOf(spec)) codes.add(plane.invalidCode);
	if (spec.body || spec.raw) codes.add("BODY_TOO_LARGE").add("UNSUPPORTED_MEDIA_TYPE");
	if (spec.etag && spec.method !== "get") codes.add("PRECONDITION_FAILED");
	if (spec.idempotent) codes.add("IDEMPOTENCY_IN_PROGRESS").add("IDEMPOTENCY_KEY_REUSED");
	return [...codes].filter((code) => plane.errors[code] !== undefined);
}

/** The operation as OpenAPI registers it. */
export function toOperation(plane: Plane, spec: RouteSpec): RouteConfig {
	const security = plane.authenticators
		.flatMap(({ schemes }) => Object.keys(schemes))
		.map((name) => ({ [name]: [] }));
	const headers = requestHeaders(spec);
	return {
		method: spec.method,
		path: spec.path.replace("+}", "}"),
		operationId: spec.operationId,
		summary: spec.summary,
		...describe(spec),
		tags: [spec.tag],
		security: spec.access === "open" ? [{}, ...security] : security,
		...(spec.access !== "open" && spec.access !== "any-key" && { "x-required-scope": spec.access }),
		parameters: [
			...(spec.params ? describeParameters("path", spec.params) : []),
			...(spec.query ? describeParameters("query", spec.query) : []),
		],
		request: {
			...(headers && { headers }),
			...(spec.body && { body: { required: true, content: { "application/json": { schema: spec.body } } } }),
			...(spec.raw && { body: { required: true, content: spec.raw.content } }),
		},
		responses: { ...successes(spec), ...refusals(plane, spec) },
	};
}

/** Describes an operation, and the scope that it needs. Without a description of its own it has none. */
function describe({ description, access }: RouteSpec): { description?: string } {
	if (!description) return {};
	const scope = access === "open" || access === "any-key" ? "" : `\n\nRequires the scope \`${access}\`.`;
	return { description: description + scope };
}

const IdempotencyKey = z
	.string()
	.min(1)
	.max(255)
	.optional()
	.describe("Makes the call safe to repeat: the same key and body get the first answer again for 24 hours");
const IfNoneMatch = z
	.string()
	.optional()
	.describe("ETag of an earlier answer. Returns 304 when the resource has not changed.");
const IfMatch = z
	.string()
	.optional()
	.describe("ETag of an earlier read. Returns 412 when the resource has changed since.");

const Variables = z
	.string()
	.optional()
	.describe(
		"Values of {{name}} placeholders for a request without a session: a JSON object of texts, numbers and booleans in base64url. At most 100 entries and 32 kB.",
	)
	.meta({ example: "eyJuYW1lIjoiQWRhIn0" });

function requestHeaders(spec: RouteSpec): z.ZodObject | undefined {
	const fields: Record<string, z.ZodType> = {};
	if (spec.idempotent) fields["Idempotency-Key"] = IdempotencyKey;
	if (spec.takesVariables) fields["X-Parley-Variables"] = Variables;
	if (spec.etag && spec.method === "get") fields["If-None-Match"] = IfNoneMatch;
	else if (spec.etag) fields["If-Match"] = IfMatch;
	return Object.keys(fields).length > 0 ? z.object(fields) : undefined;
}

function successes(spec: RouteSpec): RouteConfig["responses"] {
	const content = spec.response && { "application/json": { schema: spec.response } };
	const responses: RouteConfig["responses"] = {
		[successStatus(spec)]: { description: spec.summary, ...(content && { content }) },
		...(spec.etag && spec.method === "get" && { 304: { description: "Not changed since the given ETag" } }),
		...spec.otherResponses,
	};
	for (const [status, response] of Object.entries(responses)) {
		const headers = documentedHeaders(spec, Number(status));
		if (Object.keys(headers).length > 0) responses[status] = { ...response, headers };
	}
	return responses;
}

/** The batch API's error body shows no codes, so its reference names none. */
const describeCode = ({ showsCodes }: Plane, code: ErrorCode): string =>
	showsCodes ? `\`${code}\`: ${ERROR_DESCRIPTIONS[code].when}` : ERROR_DESCRIPTIONS[code].when;

/** Groups the codes that an operation may answer by their status. */
export function codesByStatus(plane: Plane, spec: RouteSpec): Map<number, ErrorCode[]> {
	const byStatus = new Map<number, ErrorCode[]>();
	for (const code of errorCodesOf(plane, spec)) {
		const status = plane.errors[code]?.status ?? 500;
		byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
	}
	return byStatus;
}

/** Codes whose answers say when to retry. */
const ASKING: readonly ErrorCode[] = ["RATE_LIMITED", "IDEMPOTENCY_IN_PROGRESS"];
const RETRY_AFTER = {
	description: "Seconds to wait before the next attempt",
	schema: { type: "integer" },
} as const;

function refusals(plane: Plane, spec: RouteSpec): RouteConfig["responses"] {
	const responses: RouteConfig["responses"] = {};
	for (const [status, codes] of codesByStatus(plane, spec)) {
		// A status that also has an answer of another shape (a failed publish) documents both.
		const other = spec.otherResponses?.[status];
		const schemas = Object.values(other?.content ?? {}).map(({ schema }) => schema);
		const schema = schemas.length ? z.union([plane.errorBody, ...schemas]) : plane.errorBody;
		responses[status] = {
			description: [
				...(other ? [other.description] : []),
				...codes.map((code) => describeCode(plane, code)),
			].join("\n\n"),
			...(codes.some((code) => ASKING.includes(code)) && { headers: { "Retry-After": RETRY_AFTER } }),
			content: { "application/json": { schema } },
		};
	}
	return responses;
}

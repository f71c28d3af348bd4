import type { ErrorCode } from "@parley/contracts/error-codes";
import type { Context } from "hono";
import type { z } from "zod";
import type { Access } from "./access.ts";
import type { AppEnv } from "./app-env.ts";
import type { BodyReader } from "./body-reader.ts";
import type { RateClass } from "./rate-limit/limits.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** One operation: what goes in, who may call it, what comes out. The same object validates and documents. */
export type RouteSpec<
	P extends z.ZodObject = z.ZodObject,
	Q extends z.ZodObject = z.ZodObject,
	B extends z.ZodType = z.ZodType,
> = {
	method: Method;
	/** OpenAPI form: `/v1/agents/tools/{tool_id}`; `{model_code+}` takes the rest of the path. */
	path: string;
	operationId: string;
	summary: string;
	description?: string;
	tag: string;
	access: Access;
	rate?: RateClass;
	params?: P;
	query?: Q;
	/** JSON body. `raw` routes read the request themselves and document `content`. */
	body?: B;
	raw?: { content: Record<string, { schema: z.ZodType }> };
	maxBodyBytes?: number;
	/** Status of success, 200 when absent; 204 has no body. */
	status?: number;
	/**
	 * Body of success. For an array, a handler returns all of its items; if the query has an `offset`, it returns an
	 * `ArrayPage`. The answer then carries `X-Total-Count`, and `Link` while there are further items.
	 */
	response?: z.ZodType;
	/** Path of what the operation makes, for the header `Location`: members of the answer and path parameters in braces. */
	location?: string;
	/** What else a success may be, and answers that are neither success nor an error body. */
	otherResponses?: Record<number, { description: string; content?: Record<string, { schema: z.ZodType }> }>;
	/** Shown in the API reference where one made from the schema would not do, such as under a rule across fields. */
	examples?: { body?: unknown; response?: unknown };
	/** Codes beyond those that every route of its kind may answer. */
	errors?: readonly ErrorCode[];
	/**
	 * Whether an Idempotency-Key makes a repeated call answer as the first did. An answer that shows a secret once gives
	 * `redact`: what a repetition is told instead.
	 */
	idempotent?: boolean | { redact: (answer: unknown) => unknown };
	/**
	 * On GET: the answer carries its ETag and `If-None-Match` is answered 304. On PATCH, PUT and DELETE: `If-Match` is
	 * honoured, which the service does by `assertIfMatch` of `@parley/contracts/etag`.
	 */
	etag?: boolean;
};

export type RouteInput<Ctx, E, P, Q, B> = {
	ctx: Ctx;
	params: P;
	query: Q;
	body: B;
	/** The request itself, for the few handlers that need a header or a stream. */
	request: Request;
	/** Reads the body of a `raw` route. */
	reader: BodyReader;
	c: Context<AppEnv<E & object>>;
};

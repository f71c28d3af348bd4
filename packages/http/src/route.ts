import type { ToolAnnotations } from "@parley/contracts/internal/management-rpc";
import type { ErrorCode } from "@parley/contracts/shared/error-codes";
import type { z } from "zod";
import type { Access } from "./planes/access.ts";
import type { RateClass } from "./rate-limit/limits.ts";
import type { Reply } from "./reply.ts";
import type { BodyReader } from "./request/body-reader.ts";

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
	/** Whether the operation is for keys only, not for the token of a runtime session. */
	refusesSessionTokens?: boolean;
	/** Whether the operation reads `X-Parley-Variables`, by `readRuntimeVariables`. */
	takesVariables?: boolean;
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
	 * Path of the resource that an answer of 201 or 202 created or works on: `/v1/agents/{agent_id}/calls/{id}`, with path
	 * parameters and fields of the answer. It becomes the answer's `Location`. Required where either status is declared.
	 */
	location?: string;
	/**
	 * Body of success. For an array, a handler returns all of its items; if the query has an `offset`, it returns an
	 * `ArrayPage`. The answer then carries `X-Total-Count`, and `Link` while there are further items.
	 */
	response?: z.ZodType;
	/** Other responses by status: further successes, and responses without the error body. */
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
	 * On GET: the answer carries its ETag, or the one that its `Reply` gives, and `If-None-Match` is answered 304. On PATCH, PUT and DELETE: `If-Match` is
	 * honoured, which the service does by `assertIfMatch` of `@parley/contracts/shared/etag`.
	 */
	etag?: boolean;
	/**
	 * Offers the operation as a tool of the management MCP server. By default, GET is read-only, PUT and PATCH are destructive
	 * and idempotent, and nothing reaches beyond Parley. An object says where an operation differs.
	 */
	mcp?: true | Partial<ToolAnnotations>;
};

/** Returns the status of an operation's success. */
export const successStatus = ({ status, response }: Pick<RouteSpec, "status" | "response">): number =>
	status ?? (response ? 200 : 204);

export type RouteInput<Ctx, P, Q, B> = {
	ctx: Ctx;
	params: P;
	query: Q;
	body: B;
	/** The request itself, for the few handlers that need a header or a stream. */
	request: Request;
	/** Reads the body of a `raw` route. */
	reader: BodyReader;
	/** Answers with another status than the route declares, or with more headers. */
	reply: (status: number, value: unknown, headers?: Record<string, string>) => Reply;
};

import { OpenAPIHono } from "@hono/zod-openapi";
import type { Actor } from "@parley/context/actor";
import type { VerbContext } from "@parley/context/verb-context";
import { etagOfText, matchesNone } from "@parley/contracts/shared/etag";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { z } from "zod";
import type { AppEnv } from "./app-env.ts";
import type { BaseEnv } from "./base-env.ts";
import { toErrorResponse } from "./errors.ts";
import { isLocated, toAnswer } from "./headers/answer-headers.ts";
import { answerOnce } from "./idempotency/idempotency.ts";
import { queryOf, toOperation } from "./openapi/operation.ts";
import { admit } from "./planes/admit.ts";
import type { Plane } from "./planes/plane.ts";
import { Reply } from "./reply.ts";
import { parseJson, readBody } from "./request/body.ts";
import { createBodyReader } from "./request/body-reader.ts";
import { assertMediaType } from "./request/media-type.ts";
import { readQuery } from "./request/query.ts";
import { validate } from "./request/validation.ts";
import { requestContext } from "./request-context.ts";
import { type RouteInput, type RouteSpec, successStatus } from "./route.ts";

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;

export type Router<E extends BaseEnv, Ctx> = {
	plane: Plane;
	app: OpenAPIHono<AppEnv<E>>;
	/** Every registered operation, in order; what contract tests walk. */
	specs: RouteSpec[];
	/** Registers an operation with its handler, which returns the value to send or a Response of its own. */
	route: <
		const P extends z.ZodObject | undefined = undefined,
		const Q extends z.ZodObject | undefined = undefined,
		const B extends z.ZodType | undefined = undefined,
	>(
		spec: Omit<RouteSpec, "params" | "query" | "body"> & { params?: P; query?: Q; body?: B },
		handler: (input: RouteInput<Ctx, Out<P>, Out<Q>, Out<B>>) => unknown,
	) => void;
};

/**
 * Creates a router of one plane. Each request is authenticated, held to its scope and validated before its handler runs.
 * Errors are answered in the plane's own body.
 * @param createContext builds the verbs' context from what the request brought.
 */
export function createRouter<E extends BaseEnv, Ctx>(
	plane: Plane,
	createContext: (base: VerbContext<E>, c: Context<AppEnv<E>>) => Ctx,
): Router<E, Ctx> {
	const app = new OpenAPIHono<AppEnv<E>>();
	const specs: RouteSpec[] = [];
	app.onError((error, c) => toErrorResponse(plane, error, c.get("requestId")));

	const route: Router<E, Ctx>["route"] = (given, handler) => {
		const spec = given as RouteSpec;
		assertConsistent(spec);
		specs.push(spec);
		app.openAPIRegistry.registerPath(toOperation(plane, spec));
		app.on(spec.method, toHonoPath(spec.path), async (c) => {
			const base = requestContext(c);
			const actor = await admit(plane, spec, c, base);
			const ctx = createContext({ ...base, actor: actor as Actor }, c);
			const { bytes, ...values } = await readInput(plane, spec, c);
			const reader = createBodyReader(plane, c.req.raw);
			const input = { ...values, ctx, request: c.req.raw, reader, reply } as Parameters<typeof handler>[0];
			const run = async () => toResponse(c, spec, values, await handler(input));
			if (!actor || !spec.idempotent || c.req.header("idempotency-key") === undefined) return run();
			return answerOnce({ ...base, actor }, { plane, spec, request: c.req.raw, body: bytes }, run);
		});
	};
	return { plane, app, specs, route };
}

async function readInput(plane: Plane, spec: RouteSpec, c: Context) {
	const url = new URL(c.req.url);
	const schema = queryOf(spec);
	const query = schema && validate(plane, schema, readQuery(plane, schema, url.searchParams), "query");
	const params = spec.params && validate(plane, spec.params, c.req.param(), "path");
	const accepted = spec.body ? ["application/json"] : Object.keys(spec.raw?.content ?? {});
	if (accepted.length > 0) assertMediaType(c.req.raw.headers, accepted);
	if (!spec.body) return { params, query, body: undefined, bytes: new Uint8Array() };
	const bytes = await readBody(c.req.raw, spec.maxBodyBytes ?? plane.maxBodyBytes);
	return { params, query, body: validate(plane, spec.body, parseJson(bytes, plane), ""), bytes };
}

async function toResponse(
	c: Context,
	spec: RouteSpec,
	{ params, query }: { params: unknown; query: unknown },
	result: unknown,
): Promise<Response> {
	if (result instanceof Response) return result;
	const given = result instanceof Reply ? result : new Reply(successStatus(spec), result);
	const { status } = given;
	if (status === 204) return c.body(null, 204, given.headers);
	if (spec.method === "get" && spec.etag && status === 200)
		return toTaggedResponse(c, JSON.stringify(given.value), given.headers);
	const request = { url: new URL(c.req.url), params, query };
	const { body, headers } = toAnswer(spec, request, given);
	return c.json(body as object, status as ContentfulStatusCode, { ...headers, ...given.headers });
}

async function toTaggedResponse(c: Context, json: string, given: Record<string, string>): Promise<Response> {
	const etag = given.etag ?? (await etagOfText(json));
	const headers = { ...given, etag, "cache-control": "private, no-cache" };
	if (!matchesNone(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
	return c.body(json, 200, { ...headers, "content-type": "application/json" });
}

const reply = (...given: ConstructorParameters<typeof Reply>): Reply => new Reply(...given);

/** @throws TypeError for a route that could not keep what it declares. */
function assertConsistent(spec: RouteSpec): void {
	if (spec.raw && spec.idempotent) throw new TypeError(`${spec.operationId}: a raw body has no fingerprint`);
	const statuses = [successStatus(spec), ...Object.keys(spec.otherResponses ?? {}).map(Number)];
	const located = statuses.find(isLocated);
	if (located !== undefined && spec.location === undefined)
		throw new TypeError(`${spec.operationId}: ${located} needs a location`);
}

const toHonoPath = (path: string): string =>
	path.replaceAll(/\{(\w+)\+\}/g, ":$1{.+}").replaceAll(/\{(\w+)\}/g, ":$1");

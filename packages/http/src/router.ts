import { OpenAPIHono } from "@hono/zod-openapi";
import type { Actor } from "@parley/context/actor";
import type { VerbContext } from "@parley/context/verb-context";
import { etagOfText, matchesNone } from "@parley/contracts/etag";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { z } from "zod";
import { admit } from "./admit.ts";
import { toAnswer } from "./answer-headers.ts";
import type { AppEnv } from "./app-env.ts";
import type { BaseEnv } from "./base-env.ts";
import { parseJson, readBody } from "./body.ts";
import { createBodyReader } from "./body-reader.ts";
import { answerOnce } from "./idempotency/idempotency.ts";
import { queryOf, toOperation } from "./openapi.ts";
import type { Plane } from "./plane.ts";
import { readQuery } from "./query.ts";
import { requestContext } from "./request-context.ts";
import type { RouteInput, RouteSpec } from "./route.ts";
import { validate } from "./validation.ts";

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
		handler: (input: RouteInput<Ctx, E, Out<P>, Out<Q>, Out<B>>) => unknown,
	) => void;
};

/**
 * A router of one plane. Each request is authenticated, held to its scope and validated before its handler runs;
 * errors are left to the plane's exit in `createApp`.
 * @param createContext builds the verbs' context from what the request brought.
 */
export function createRouter<E extends BaseEnv, Ctx>(
	plane: Plane,
	createContext: (base: VerbContext<E>, c: Context<AppEnv<E>>) => Ctx,
): Router<E, Ctx> {
	const app = new OpenAPIHono<AppEnv<E>>();
	const specs: RouteSpec[] = [];

	const route: Router<E, Ctx>["route"] = (given, handler) => {
		const spec = given as RouteSpec;
		if (spec.raw && spec.idempotent)
			throw new TypeError(`${spec.operationId}: a raw body has no fingerprint`);
		specs.push(spec);
		app.openAPIRegistry.registerPath(toOperation(plane, spec));
		app.on(spec.method, toHonoPath(spec.path), async (c) => {
			const base = requestContext(c);
			const actor = await admit(plane, spec, c, base);
			const ctx = createContext({ ...base, actor: actor as Actor }, c);
			const { bytes, ...values } = await readInput(plane, spec, c);
			const reader = createBodyReader(plane, c.req.raw);
			const input = { ...values, ctx, request: c.req.raw, reader, c } as Parameters<typeof handler>[0];
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
	const status = spec.status ?? (spec.response ? 200 : 204);
	if (status === 204) return c.body(null, 204);
	if (spec.method === "get" && spec.etag) return toTaggedResponse(c, JSON.stringify(result));
	const { body, headers } = toAnswer(spec, { url: new URL(c.req.url), params, query }, result);
	return c.json(body as object, status as ContentfulStatusCode, headers);
}

async function toTaggedResponse(c: Context, json: string): Promise<Response> {
	const etag = await etagOfText(json);
	const headers = { etag, "cache-control": "private, no-cache" };
	if (!matchesNone(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
	return c.body(json, 200, { ...headers, "content-type": "application/json" });
}

const toHonoPath = (path: string): string =>
	path.replaceAll(/\{(\w+)\+\}/g, ":$1{.+}").replaceAll(/\{(\w+)\}/g, ":$1");

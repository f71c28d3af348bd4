import { OpenAPIHono } from "@hono/zod-openapi";
import { ApiError } from "@parley/contracts/api-error";
import type { MiddlewareHandler } from "hono";
import { allowedMethods } from "./allowed-methods.ts";
import type { AppEnv } from "./app-env.ts";
import type { BaseEnv } from "./base-env.ts";
import { docsPage } from "./docs-page.ts";
import { toErrorResponse } from "./errors.ts";
import { checkHealth, commonProbes, type Probes } from "./health.ts";
import { describeSecurity, type OpenApiDocument, openApiDocument } from "./openapi-document.ts";
import type { Plane } from "./plane.ts";
import { rateFields } from "./rate-limit/limits.ts";
import { addressState } from "./rate-limit/rate-limit.ts";
import { requestIdOf } from "./request-id.ts";
import type { RouteSpec } from "./route.ts";
import type { Router } from "./router.ts";

export type App<E extends BaseEnv> = OpenAPIHono<AppEnv<E>> & {
	/** Every operation in order; what contract tests walk. */
	specs: RouteSpec[];
	/** The plane's OpenAPI document, made once. */
	describe: () => OpenApiDocument;
};

type AppOptions<E extends BaseEnv> = {
	plane: Plane;
	title: string;
	version: string;
	description: string;
	/** What each tag of its operations is about. */
	tags?: Record<string, string>;
	/** What `/health` tries beyond the bindings that every worker has. */
	probes?: (env: E) => Probes;
	/** Runs around every request, once it has its id. */
	middleware?: MiddlewareHandler<AppEnv<E>>[];
	/** False for a host that serves an API reference of its own. */
	reference?: boolean;
};

/** A plane's app: request ids, its routers in order, the one error exit, its health at `/health` and its reference at `/openapi.json` and `/docs`. */
export function createApp<E extends BaseEnv>(
	options: AppOptions<E>,
	routers: Pick<Router<E, unknown>, "app" | "specs">[],
): App<E> {
	const { plane } = options;
	const app = new OpenAPIHono<AppEnv<E>>();
	app.use(async (c, next) => {
		c.set("requestId", requestIdOf(c.req.raw.headers));
		await next();
		const { headers } = c.res;
		headers.set("x-request-id", c.get("requestId"));
		if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
		const rateState = c.get("rateState") ?? addressState(c.env, c.req.raw.headers, Date.now());
		// An answer of another plane behind the front door brings its own.
		if (!rateState || headers.has("ratelimit-policy")) return;
		for (const [name, value] of rateFields(rateState)) headers.set(name, value);
	});
	for (const middleware of options.middleware ?? []) app.use(middleware);
	app.onError((error, c) => toErrorResponse(plane, error, c.get("requestId")));
	const specs = routers.flatMap((router) => router.specs);
	app.notFound((c) => {
		const { method, path } = c.req;
		return toErrorResponse(plane, notFound(method, allowedMethods(specs, path)), c.get("requestId"));
	});
	for (const router of routers) app.route("/", router.app);
	describeSecurity(app, plane);
	const { title, version, description, tags } = options;
	let document: OpenApiDocument | undefined;
	const describe = () => {
		document ??= openApiDocument(app, plane, { title, version, description }, specs, tags);
		return document;
	};
	app.get("/health", async (c) => {
		const probes = { ...commonProbes(c.env), ...options.probes?.(c.env) };
		const health = await checkHealth(plane, probes, c.get("requestId"));
		return c.json(health, health.status === "ok" ? 200 : 503);
	});
	if (options.reference !== false) {
		app.get("/openapi.json", (c) => c.json(describe()));
		app.get("/docs", (c) => c.html(docsPage(describe())));
	}
	return Object.assign(app, { specs, describe });
}

/** The closed code tables have no code for a method that a path does not take, so `Allow` tells it beside the 404. */
function notFound(method: string, allowed: string[]): ApiError {
	const allow = allowed.join(", ");
	if (!allow || allowed.includes(method)) return new ApiError("RESOURCE_NOT_FOUND", "No such resource");
	return new ApiError("RESOURCE_NOT_FOUND", `This path takes ${allow}, not ${method}`, {
		headers: { allow },
	});
}

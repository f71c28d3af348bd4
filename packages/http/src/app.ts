import { OpenAPIHono } from "@hono/zod-openapi";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { VERSION } from "@parley/contracts/shared/version";
import type { Context, MiddlewareHandler, Next } from "hono";
import type { AppEnv } from "./app-env.ts";
import type { BaseEnv } from "./base-env.ts";
import { toErrorResponse } from "./errors.ts";
import { allowedMethods } from "./headers/allowed-methods.ts";
import { cors } from "./headers/cors.ts";
import { checkHealth, commonProbes, type Probes } from "./health.ts";
import { docsPage } from "./openapi/docs-page.ts";
import { type OpenApiDocument, openApiDocument } from "./openapi/document.ts";
import type { Webhook } from "./openapi/webhook.ts";
import type { Plane } from "./planes/plane.ts";
import { rateFields } from "./rate-limit/limits.ts";
import { addressState } from "./rate-limit/rate-limit.ts";
import { requestIdOf } from "./request/request-id.ts";
import type { RouteSpec } from "./route.ts";
import type { Router } from "./router.ts";

export type App<E extends BaseEnv> = OpenAPIHono<AppEnv<E>> & {
	/** Every operation in order; what contract tests walk. */
	specs: RouteSpec[];
	/** Returns the app's OpenAPI document, which is made once. */
	describe: () => OpenApiDocument;
};

type AppOptions<E extends BaseEnv> = {
	/** Plane of every path that no mount holds. */
	plane: Plane;
	/** Planes of path prefixes, whose error bodies the refusals before routing have: `{ "/v1/batch/": batchPlane }`. */
	mounts?: Readonly<Record<string, Plane>>;
	title: string;
	description: string;
	/** Descriptions of the tags of its operations. */
	tags?: Record<string, string>;
	/** Requests that the worker's plane sends to its customers, by name. */
	webhooks?: Record<string, Webhook>;
	/** Probes of `/health` beyond the bindings that every worker has. */
	probes?: (env: E) => Probes;
	/** Runs around every request, once it has its id. */
	middleware?: MiddlewareHandler<AppEnv<E>>[];
	/** False for a host that serves an API reference of its own. */
	reference?: boolean;
};

/**
 * Creates the app of a worker: its routers in order, the error exit of each plane, its health at `/health` and its reference
 * at `/openapi.json` and `/docs`. Every answer carries the request id, the version and the state of the rate limit.
 */
export function createApp<E extends BaseEnv>(
	options: AppOptions<E>,
	routers: Pick<Router<E, unknown>, "app" | "plane" | "specs">[],
): App<E> {
	const { plane, mounts = {} } = options;
	const app = new OpenAPIHono<AppEnv<E>>();
	app.use(addCommonHeaders);
	app.use(cors);
	for (const middleware of options.middleware ?? []) app.use(middleware);
	const planeOf = (path: string) =>
		Object.entries(mounts).find(([prefix]) => path.startsWith(prefix))?.[1] ?? plane;
	app.onError((error, c) => toErrorResponse(planeOf(c.req.path), error, c.get("requestId")));
	const specs = routers.flatMap((router) => router.specs);
	app.notFound((c) => {
		const { method, path } = c.req;
		const allowed = allowedMethods([...specs, ...pagesOf(app)], path);
		if (method === "OPTIONS" && allowed.length > 0) return c.body(null, 204, { allow: allowed.join(", ") });
		return toErrorResponse(planeOf(path), refusal(method, path, allowed), c.get("requestId"));
	});
	for (const router of routers) app.route("/", router.app);
	let document: OpenApiDocument | undefined;
	const describe = () => {
		document ??= openApiDocument(app, options, routers);
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

async function addCommonHeaders<E extends BaseEnv>(c: Context<AppEnv<E>>, next: Next): Promise<void> {
	c.set("requestId", requestIdOf(c.req.raw.headers));
	await next();
	const { headers } = c.res;
	headers.set("x-request-id", c.get("requestId"));
	headers.set("x-parley-version", VERSION);
	headers.set("x-content-type-options", "nosniff");
	if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
	const rateState = c.get("rateState") ?? addressState(c.env, c.req.raw.headers, Date.now());
	// An answer of another plane behind the front door brings its own.
	if (!rateState || headers.has("ratelimit-policy")) return;
	for (const [name, value] of rateFields(rateState)) headers.set(name, value);
}

/** Returns the paths that are no operations but plain pages, such as `/health`. */
const pagesOf = <E extends BaseEnv>({ routes }: OpenAPIHono<AppEnv<E>>) =>
	routes
		.filter(({ method, path }) => method === "GET" && !/[:*]/.test(path))
		.map(({ path }) => ({ method: "get" as const, path }));

const MAX_SHOWN_PATH = 200;

function refusal(method: string, path: string, allowed: string[]): ApiError {
	const shown = path.length > MAX_SHOWN_PATH ? `${path.slice(0, MAX_SHOWN_PATH)}…` : path;
	if (allowed.length === 0 || allowed.includes(method)) return notFound("Path", shown);
	const allow = allowed.join(", ");
	return new ApiError("METHOD_NOT_ALLOWED", `${shown} does not support ${method}. Use ${allow}.`, {
		headers: { allow },
	});
}

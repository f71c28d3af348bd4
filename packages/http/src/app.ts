import { OpenAPIHono } from "@hono/zod-openapi";
import { ApiError } from "@parley/contracts/api-error";
import type { AppEnv } from "./context.ts";
import { toErrorResponse } from "./errors.ts";
import type { BaseEnv, Plane } from "./plane.ts";
import { rateFields } from "./rate-limit/limits.ts";
import { addressState } from "./rate-limit/rate-limit.ts";
import { requestIdOf } from "./request-id.ts";
import type { RouteSpec } from "./route.ts";
import type { Router } from "./router.ts";

export type App<E extends BaseEnv> = OpenAPIHono<AppEnv<E>> & { specs: RouteSpec[] };

type AppOptions = { plane: Plane; title: string; version: string; description: string };

/** A plane's app: request ids, its routers in order, the one error exit, and its OpenAPI document at `/openapi.json`. */
export function createApp<E extends BaseEnv>(
	options: AppOptions,
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
	app.onError((error, c) => toErrorResponse(plane, error, c.get("requestId")));
	app.notFound((c) => toErrorResponse(plane, notFound(), c.get("requestId")));
	for (const router of routers) app.route("/", router.app);
	describeSecurity(app, plane);
	app.get("/openapi.json", (c) => c.json(openApiDocument(app, options)));
	return Object.assign(app, { specs: routers.flatMap((router) => router.specs) });
}

/** The OpenAPI 3.1 document of an app, generated from the schemas that validate. */
export function openApiDocument<E extends BaseEnv>(
	app: OpenAPIHono<AppEnv<E>>,
	options: Omit<AppOptions, "plane">,
) {
	const { title, version, description } = options;
	return app.getOpenAPI31Document({ openapi: "3.1.0", info: { title, version, description } });
}

const notFound = () => new ApiError("RESOURCE_NOT_FOUND", "No such resource");

function describeSecurity<E extends BaseEnv>(app: OpenAPIHono<AppEnv<E>>, plane: Plane): void {
	const schemes = {
		bearer: { type: "http", scheme: "bearer", description: "An API key" },
		"x-api-key": { type: "apiKey", in: "header", name: "X-API-Key", description: "An API key" },
	} as const;
	for (const name of plane.securitySchemes) {
		app.openAPIRegistry.registerComponent("securitySchemes", name, schemes[name]);
	}
}

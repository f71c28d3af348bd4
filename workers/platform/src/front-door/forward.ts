import type { HonoContext } from "../context.ts";
import { regionalEnv } from "../regions/deployment.ts";

type PlaneBinding = "AGENTS" | "BATCH" | "MCP_SERVER";

/** Forwards a request to the worker that owns its path in the chosen region, under the front door's request id. */
export async function forward(c: HonoContext, to: PlaneBinding): Promise<Response> {
	const request = new Request(c.req.raw);
	request.headers.set("x-request-id", c.get("requestId"));
	return copyOf(await regionalEnv(c.env, c.get("region"))[to].fetch(request));
}

/**
 * Serves a static file of this worker.
 * @param path the file, where it is not the request's own path
 */
export async function serveAsset(c: HonoContext, path = c.req.path): Promise<Response> {
	const response = await c.env.ASSETS.fetch(new Request(new URL(path, c.req.url), c.req.raw));
	if (response.status === 404) return c.notFound() as Response | Promise<Response>;
	return copyOf(response);
}

/** The headers of another worker's response are immutable; those of a copy are not. */
const copyOf = (response: Response): Response => new Response(response.body, response);

/** Calls a plane's `/health`. @throws Error when the plane is not healthy. */
export async function probePlane(plane: Fetcher): Promise<void> {
	const { ok, status, body } = await plane.fetch("https://plane.internal/health");
	await body?.cancel();
	if (!ok) throw new Error(`The plane answered ${status}`);
}

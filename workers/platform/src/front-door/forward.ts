import type { AppEnv } from "@parley/http/context";
import type { Context } from "hono";

type PlaneBinding = "AGENTS" | "BATCH";

/** Hands a request to the worker that owns its path, under the request id that the front door chose. */
export async function forward(c: Context<AppEnv<Env>>, to: PlaneBinding): Promise<Response> {
	const request = new Request(c.req.raw);
	request.headers.set("x-request-id", c.get("requestId"));
	const response = await c.env[to].fetch(request);
	// A response of another worker has immutable headers; an upgraded one must stay as it is.
	return response.webSocket ? response : new Response(response.body, response);
}

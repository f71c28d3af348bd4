import type { HonoContext } from "../context.ts";
import { regionalEnv } from "../regions/deployment.ts";

type PlaneBinding = "AGENTS" | "BATCH";

/** Hands a request to the worker that owns its path in the chosen region, under the request id that the front door chose. */
export async function forward(c: HonoContext, to: PlaneBinding): Promise<Response> {
	const request = new Request(c.req.raw);
	request.headers.set("x-request-id", c.get("requestId"));
	const response = await regionalEnv(c.env, c.get("region"))[to].fetch(request);
	// The headers of another worker's response are immutable; those of a copy are ours to add to.
	return new Response(response.body, response);
}

/** Asks a plane for its health. @throws Error when it has none. */
export async function probePlane(plane: Fetcher): Promise<void> {
	const { ok, status, body } = await plane.fetch("https://plane.internal/health");
	await body?.cancel();
	if (!ok) throw new Error(`The plane answered ${status}`);
}

import type { Region } from "@parley/contracts/platform/regions";
import type { Next } from "hono";
import type { HonoContext } from "../context.ts";
import { chooseRegion } from "./choose-region.ts";
import { deploymentOf } from "./deployment.ts";

declare module "hono" {
	interface ContextVariableMap {
		region: Region;
	}
}

/** Chooses each request's region before anything else reads the request, and names it in the answer's `X-Region`. */
export async function regionMiddleware(c: HonoContext, next: Next): Promise<void> {
	const region = chooseRegion(
		{
			regionOverride: c.req.raw.headers.get("x-region-override"),
			worldPartOverride: c.req.raw.headers.get("x-world-part-override"),
			hostname: new URL(c.req.url).hostname,
			place: placeOf(c.req.raw.cf as IncomingRequestCfProperties | undefined),
		},
		deploymentOf(c.env),
	);
	c.set("region", region);
	await next();
	c.res.headers.set("x-region", region);
}

function placeOf(cf: IncomingRequestCfProperties | undefined) {
	const [latitude, longitude] = [Number(cf?.latitude), Number(cf?.longitude)];
	return Number.isFinite(latitude) && Number.isFinite(longitude) ? { latitude, longitude } : undefined;
}

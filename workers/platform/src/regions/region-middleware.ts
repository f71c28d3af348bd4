import type { Region } from "@parley/contracts/regions";
import type { AppEnv } from "@parley/http/context";
import type { MiddlewareHandler } from "hono";
import { chooseRegion } from "./choose-region.ts";
import { deploymentOf } from "./deployment.ts";

declare module "hono" {
	interface ContextVariableMap {
		region: Region;
	}
}

/** Chooses each request's region before anything else looks at it, and says on the answer which it was. */
export const regionMiddleware: MiddlewareHandler<AppEnv<Env>> = async (c, next) => {
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
};

function placeOf(cf: IncomingRequestCfProperties | undefined) {
	const [latitude, longitude] = [Number(cf?.latitude), Number(cf?.longitude)];
	return Number.isFinite(latitude) && Number.isFinite(longitude) ? { latitude, longitude } : undefined;
}

import type { VerbContext } from "@parley/context/verb-context";
import type { Region } from "@parley/contracts/platform/regions";
import type { AppEnv } from "@parley/http/app-env";
import { platformPlane } from "@parley/http/planes/planes";
import type { BodyReader } from "@parley/http/request/body-reader";
import { requestContext } from "@parley/http/request-context";
import { createRouter } from "@parley/http/router";
import type { Context } from "hono";
import { type Engines, enginesOf } from "./engines.ts";
import { regionalEnv } from "./regions/deployment.ts";

export type { BodyReader };
export { requestContext };

/** A request as Hono hands it to the front door. */
export type HonoContext = Context<AppEnv<Env>>;

/** Context of each service function of the platform worker. */
export type Ctx = VerbContext<Env> & {
	region: Region;
	/** The environment before the region's own bindings are laid over it. */
	home: Env;
	/** Those of the region. */
	engines: () => Engines;
};

/** Context of a service function that may be called without a key. */
export type OpenCtx = Omit<Ctx, "actor"> & { actor: Ctx["actor"] | undefined };

export const createPlatformRouter = () =>
	createRouter<Env, Ctx>(platformPlane, (base, c) => {
		const region = c.get("region");
		const env = regionalEnv(base.env, region);
		return { ...base, env, region, home: base.env, engines: () => enginesOf(env) };
	});

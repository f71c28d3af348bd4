import type { Region } from "@parley/contracts/regions";
import type { VerbContext } from "@parley/http/context";
import { platformPlane } from "@parley/http/planes";
import { createRouter } from "@parley/http/router";
import { type Engines, enginesOf } from "./engines.ts";
import { regionalEnv } from "./regions/deployment.ts";

/** What each verb of the platform worker gets. */
export type Ctx = VerbContext<Env> & {
	region: Region;
	/** The environment before the region's own bindings are laid over it. */
	home: Env;
	/** Those of the region. */
	engines: () => Engines;
};

/** What a verb gets that may be called without a key. */
export type OpenCtx = Omit<Ctx, "actor"> & { actor: Ctx["actor"] | undefined };

export const createPlatformRouter = () =>
	createRouter<Env, Ctx>(platformPlane, (base, c) => {
		const region = c.get("region");
		const env = regionalEnv(base.env, region);
		return { ...base, env, region, home: base.env, engines: () => enginesOf(env) };
	});

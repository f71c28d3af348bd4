import type { Region } from "@parley/contracts/regions";
import type { EngineRegistry } from "@parley/engines/registry";
import type { VerbContext } from "@parley/http/context";
import { platformPlane } from "@parley/http/planes";
import { createRouter } from "@parley/http/router";
import { enginesOf } from "./engines.ts";
import { regionalEnv } from "./regions/deployment.ts";

/** What each verb of the platform worker gets; its environment is the chosen region's. */
export type Ctx = VerbContext<Env> & { region: Region; engines: () => EngineRegistry };

export const createPlatformRouter = () =>
	createRouter<Env, Ctx>(platformPlane, (base, c) => {
		const region = c.get("region");
		const env = regionalEnv(base.env, region);
		return { ...base, env, region, engines: () => enginesOf(env) };
	});

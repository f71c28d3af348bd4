import type { VerbContext } from "@parley/http/context";
import { platformPlane } from "@parley/http/planes";
import { createRouter } from "@parley/http/router";

/** What each verb of the platform worker gets. */
export type Ctx = VerbContext<Env>;

export const createPlatformRouter = () => createRouter<Env, Ctx>(platformPlane, (base) => base);

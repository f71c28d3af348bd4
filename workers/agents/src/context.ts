import type { VerbContext } from "@parley/context/verb-context";
import { agentsPlane } from "@parley/http/planes/planes";
import { createRouter } from "@parley/http/router";

/** Context of every service function of the agents worker. */
export type Ctx = VerbContext<Env> & {
	/** Fetch function for requests to tools. Default: the runtime's own. */
	fetch?: typeof globalThis.fetch;
};

export const createAgentsRouter = () => createRouter<Env, Ctx>(agentsPlane, (base) => base);

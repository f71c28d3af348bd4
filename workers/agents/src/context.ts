import type { VerbContext } from "@parley/context/verb-context";
import { agentsPlane } from "@parley/http/planes/planes";
import { createRouter } from "@parley/http/router";

/** What each verb of the agents worker gets. */
export type Ctx = VerbContext<Env> & {
	/** What requests to tools and servers are sent with; the runtime's own when absent. */
	fetch?: typeof globalThis.fetch;
};

export const createAgentsRouter = () => createRouter<Env, Ctx>(agentsPlane, (base) => base);

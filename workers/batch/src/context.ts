import type { VerbContext } from "@parley/http/context";
import { batchPlane } from "@parley/http/planes";
import { createRouter } from "@parley/http/router";

/** What each verb of the batch worker gets. */
export type Ctx = VerbContext<Env>;

export const createBatchRouter = () => createRouter<Env, Ctx>(batchPlane, (base) => base);

import type { VerbContext } from "@parley/context/verb-context";
import type { AppEnv } from "@parley/http/app-env";
import { mcpPlane } from "@parley/http/planes/planes";
import type { BodyReader } from "@parley/http/request/body-reader";
import { createRouter } from "@parley/http/router";
import type { Context } from "hono";

export type { BodyReader };

/** A request as Hono hands it to middleware. */
export type HonoContext = Context<AppEnv<Env>>;

/** The context of each verb of the mcp-server worker. */
export type Ctx = VerbContext<Env>;

export const createMcpRouter = () => createRouter<Env, Ctx>(mcpPlane, (base) => base);

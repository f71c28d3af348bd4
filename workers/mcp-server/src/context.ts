import type { VerbContext } from "@parley/context/verb-context";
import type { AppEnv } from "@parley/http/app-env";
import type { Plane } from "@parley/http/planes/plane";
import { mcpPlane } from "@parley/http/planes/planes";
import type { BodyReader } from "@parley/http/request/body-reader";
import { createRouter } from "@parley/http/router";
import type { Context } from "hono";
import { accessToken } from "./oauth/access-token.ts";

export type { BodyReader };

/** A request as Hono hands it to middleware. */
export type HonoContext = Context<AppEnv<Env>>;

/** The context of each verb of the mcp-server worker. */
export type Ctx = VerbContext<Env>;

/** The plane of the MCP endpoints, with the access tokens that this worker issues. */
export const plane: Plane = { ...mcpPlane, authenticators: [accessToken, ...mcpPlane.authenticators] };

export const createMcpRouter = () => createRouter<Env, Ctx>(plane, (base) => base);

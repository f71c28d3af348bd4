import type { Ctx } from "../context.ts";
import type { McpSession } from "./mcp-session.ts";

/** The one object that speaks with a server. */
export const sessionOf = (ctx: Ctx, serverId: string): DurableObjectStub<McpSession> =>
	ctx.env.MCP_SESSION.getByName(`${ctx.actor.organisation.id}/${serverId}`);

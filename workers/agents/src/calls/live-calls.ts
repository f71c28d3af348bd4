import { calls } from "@parley/db/agents/calls";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Matches the agent's calls that have not ended. */
const isLiveCallOf = (ctx: Ctx, agentId: string): SQL | undefined =>
	and(eq(calls.organisationId, ctx.actor.organisation.id), eq(calls.agentId, agentId), isNull(calls.endedAt));

/** Returns a subquery that counts the live calls of an agent. */
export const countLiveCalls = (ctx: Ctx, agentId: string): SQL =>
	sql`(select count(*) from ${calls} where ${isLiveCallOf(ctx, agentId)})`;

/** Returns the statement that cancels an agent's live calls, for the batch that deletes the agent. */
export const cancelLiveCalls = (ctx: Ctx, agentId: string, endedAt: string) =>
	ctx.db
		.update(calls)
		.set({
			...{ status: "cancelled", reason: "agent_deleted", endedAt, updatedAt: endedAt },
			revision: sql`${calls.revision} + 1`,
		})
		.where(isLiveCallOf(ctx, agentId));

import { runtimeSessions } from "@parley/db/agents/runtime-sessions";
import { and, eq, isNull } from "drizzle-orm";
import type { Ctx } from "../../context.ts";

/** Ends the open sessions of an agent: a statement for the batch that deletes it. */
export const endSessionsOf = (ctx: Ctx, agentId: string, endedAt: string) =>
	ctx.db
		.update(runtimeSessions)
		.set({ endedAt })
		.where(
			and(
				eq(runtimeSessions.organisationId, ctx.actor.organisation.id),
				eq(runtimeSessions.agentId, agentId),
				isNull(runtimeSessions.endedAt),
			),
		);

import type { RuntimeSession } from "@parley/contracts/internal/agent-runtime-rpc";
import { notFound } from "@parley/contracts/shared/api-error";
import { runtimeSessions } from "@parley/db/agents/runtime-sessions";
import { and, eq, gt, isNull } from "drizzle-orm";
import type { Ctx } from "../../context.ts";

/** Returns a session of an agent that has not ended. @throws ApiError RESOURCE_NOT_FOUND, also for one that has ended */
export async function getLiveSession(ctx: Ctx, agentId: string, id: string): Promise<RuntimeSession> {
	const [row] = await ctx.db
		.select()
		.from(runtimeSessions)
		.where(
			and(
				eq(runtimeSessions.organisationId, ctx.actor.organisation.id),
				eq(runtimeSessions.agentId, agentId),
				eq(runtimeSessions.id, id),
				isNull(runtimeSessions.endedAt),
				gt(runtimeSessions.expiresAt, ctx.clock().toISOString()),
			),
		);
	if (!row) throw notFound("Session", id);
	const { agentVersion, variables, caller, callId, mocks, expiresAt } = row;
	return { id, agentId, agentVersion, variables, caller, callId, mocks, expiresAt };
}

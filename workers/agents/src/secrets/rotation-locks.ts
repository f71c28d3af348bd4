import { ApiError } from "@parley/contracts/shared/api-error";
import { vaultRotationLocks } from "@parley/db/agents/vault";
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** The condition that no rotation holds the agent, for the `where` or the assertion of a write to it. */
export const agentLockCondition = (ctx: Ctx, agentId: string): SQL => sql`not exists (
	select 1 from ${vaultRotationLocks} where ${heldLock(ctx, agentId)})`;

/** The refusal of a write to an agent that a rotation holds. */
export const agentLocked = (): ApiError =>
	new ApiError("AGENT_LOCKED", "A vault entry that this agent uses is being rotated", {
		headers: { "retry-after": "1" },
	});

const heldLock = (ctx: Ctx, agentId: string) =>
	and(
		eq(vaultRotationLocks.organisationId, ctx.actor.organisation.id),
		eq(vaultRotationLocks.agentId, agentId),
		gt(vaultRotationLocks.expiresAt, ctx.clock().toISOString()),
	);

import { ApiError } from "@parley/contracts/shared/api-error";
import { vaultRotationLocks } from "@parley/db/agents/vault";
import { and, eq, gt, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Matches if no rotation has locked the agent, for the `where` clause or assertion of a write to it. */
export const agentIsUnlocked = (ctx: Ctx, agentId: string): SQL => sql`not exists (
	select 1 from ${vaultRotationLocks} where ${activeLock(ctx, agentId)})`;

/** Returns the error for a write to an agent that a rotation has locked. */
export const agentLockedError = (): ApiError =>
	new ApiError("AGENT_LOCKED", "A vault entry that this agent uses is being rotated", {
		headers: { "retry-after": "1" },
	});

const activeLock = (ctx: Ctx, agentId: string) =>
	and(
		eq(vaultRotationLocks.organisationId, ctx.actor.organisation.id),
		eq(vaultRotationLocks.agentId, agentId),
		gt(vaultRotationLocks.expiresAt, ctx.clock().toISOString()),
	);

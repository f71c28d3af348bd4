import type { CapabilityStatus, ToolChanges } from "@parley/contracts/agents/mcp-servers";
import { mcpServers } from "@parley/db/agents/mcp-servers";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { liveServer, type ServerRow } from "@parley/mcp-servers/server-row";
import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import type { Attempt } from "../session/attempt.ts";
import { hasChanges, NO_CHANGES } from "./catalog-diff.ts";
import { preparePublication } from "./publish-catalog.ts";

export type Verdict = { status: CapabilityStatus; nextRefreshAt: number | null };

/**
 * Writes what an attempt found into the record of the server it was made for. A server that was changed or deleted since
 * is left alone: what was found is not about it any more.
 * @returns what changed of the tool list; undefined when nothing was written.
 */
export async function recordAttempt(
	ctx: Ctx,
	server: ServerRow,
	attempt: Attempt,
	verdict: Verdict,
): Promise<ToolChanges | undefined> {
	const now = ctx.clock().toISOString();
	const columns = {
		capabilityStatus: verdict.status,
		capabilityAttemptedAt: now,
		capabilityError: attempt.error,
		nextRefreshAt: verdict.nextRefreshAt === null ? null : new Date(verdict.nextRefreshAt).toISOString(),
	};
	// A failed attempt keeps the last good list, and its age.
	if (attempt.error) return (await update(ctx, server, columns)) ? NO_CHANGES : undefined;
	const { changes, statements, garbage } = await preparePublication(ctx, server, attempt.capabilities, now);
	const observed = {
		...{ ...columns, capabilityObservedAt: now, capabilityToolCount: attempt.capabilities.tools.length },
		capabilityRevision: server.capabilityRevision + (hasChanges(changes) ? 1 : 0),
	};
	if (statements.length === 0) return (await update(ctx, server, observed)) ? changes : undefined;
	try {
		await ctx.db.batch([
			assertThat(
				ctx.db,
				sql`exists (select 1 from ${mcpServers} where ${asRead(ctx, server)})`,
				"SERVER_CHANGED",
			),
			ctx.db.update(mcpServers).set(observed).where(asRead(ctx, server)),
			...statements,
		]);
	} catch (error) {
		await ctx.env.MEDIA.delete(garbage.onFailure);
		if (failedAssertion(error) === "SERVER_CHANGED") return undefined;
		throw error;
	}
	await ctx.env.MEDIA.delete(garbage.after);
	return changes;
}

/** Plans, or unplans, the next look at a server without one having been taken now. */
export async function recordPlan(ctx: Ctx, serverId: string, nextRefreshAt: number | null): Promise<void> {
	await ctx.db
		.update(mcpServers)
		.set({ nextRefreshAt: nextRefreshAt === null ? null : new Date(nextRefreshAt).toISOString() })
		.where(liveServer(ctx, serverId));
}

async function update(ctx: Ctx, server: ServerRow, columns: Partial<ServerRow>): Promise<boolean> {
	const rows = await ctx.db
		.update(mcpServers)
		.set(columns)
		.where(asRead(ctx, server))
		.returning({ id: mcpServers.id });
	return rows.length > 0;
}

const asRead = (ctx: Ctx, { id, revision }: ServerRow) =>
	and(liveServer(ctx, id), eq(mcpServers.revision, revision));

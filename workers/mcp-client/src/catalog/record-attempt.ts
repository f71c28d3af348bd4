import type { CapabilityStatus, ToolChanges } from "@parley/contracts/agents/mcp-servers";
import { mcpServers } from "@parley/db/agents/mcp-servers";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { liveServer, type ServerRow } from "@parley/mcp-servers/server-row";
import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import type { Attempt } from "../session/attempt.ts";
import { hasChanges, NO_CHANGES } from "./catalog-diff.ts";
import { preparePublication } from "./publish-catalog.ts";

export type StatusUpdate = { status: CapabilityStatus; nextRefreshAt: number | null };

/**
 * Writes the result of an attempt into the server's record. Does nothing if the server was changed or deleted meanwhile,
 * because the result is about the old configuration.
 * @returns the changes of the tool list; undefined when nothing was written.
 */
export async function recordAttempt(
	ctx: Ctx,
	server: ServerRow,
	attempt: Attempt,
	statusUpdate: StatusUpdate,
): Promise<ToolChanges | undefined> {
	const now = ctx.clock().toISOString();
	const columns = {
		capabilityStatus: statusUpdate.status,
		capabilityAttemptedAt: now,
		capabilityError: attempt.error,
		nextRefreshAt:
			statusUpdate.nextRefreshAt === null ? null : new Date(statusUpdate.nextRefreshAt).toISOString(),
	};
	// A failed attempt keeps the last good list and its timestamp.
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
				sql`exists (select 1 from ${mcpServers} where ${unchangedServer(ctx, server)})`,
				"SERVER_CHANGED",
			),
			ctx.db.update(mcpServers).set(observed).where(unchangedServer(ctx, server)),
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

/** Writes when the next refresh is due; null when none is scheduled. */
export async function recordNextRefresh(
	ctx: Ctx,
	serverId: string,
	nextRefreshAt: number | null,
): Promise<void> {
	await ctx.db
		.update(mcpServers)
		.set({ nextRefreshAt: nextRefreshAt === null ? null : new Date(nextRefreshAt).toISOString() })
		.where(liveServer(ctx, serverId));
}

async function update(ctx: Ctx, server: ServerRow, columns: Partial<ServerRow>): Promise<boolean> {
	const rows = await ctx.db
		.update(mcpServers)
		.set(columns)
		.where(unchangedServer(ctx, server))
		.returning({ id: mcpServers.id });
	return rows.length > 0;
}

/** Matches the live server only if its configuration is still the given revision. */
const unchangedServer = (ctx: Ctx, { id, revision }: ServerRow) =>
	and(liveServer(ctx, id), eq(mcpServers.revision, revision));

import { ApiError } from "@parley/contracts/shared/api-error";
import { assertIfMatch } from "@parley/contracts/shared/etag";
import { mcpCatalogChanges, mcpCatalogs, mcpPinnedTools, mcpServers } from "@parley/db/agents/mcp-servers";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { catalogOf, removeCatalogs } from "@parley/mcp-servers/catalog";
import { liveServer } from "@parley/mcp-servers/server-row";
import { isReferenced } from "@parley/mcp-servers/usage";
import { and, eq, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { replaceReferences } from "../secrets/references.ts";
import { mcpClientOf } from "./mcp-client.ts";
import { readServer, withCapabilities } from "./mcp-servers.service.ts";
import { listBlockers } from "./server-usage.ts";
import { assertUnchanged, audit, write } from "./write-mcp-server.ts";

/**
 * Deletes a server softly. Keeps its record; deletes its tool lists, references and session.
 * @throws ApiError RESOURCE_NOT_FOUND, MCP_SERVER_IN_USE, REVISION_CONFLICT
 */
export async function deleteMcpServer(ctx: Ctx, id: string): Promise<void> {
	const row = await readServer(ctx, id);
	await assertIfMatch(ctx, await withCapabilities(ctx, row));
	const { organisationId } = row;
	const ofServer = (table: typeof mcpCatalogChanges | typeof mcpPinnedTools) =>
		and(eq(table.organisationId, organisationId), eq(table.serverId, id));
	try {
		await write(ctx, [
			assertUnchanged(ctx, row),
			assertThat(ctx.db, sql`not ${isReferenced(ctx, id)}`, "SERVER_IN_USE"),
			ctx.db
				.update(mcpServers)
				.set({ deletedAt: ctx.clock().toISOString(), revision: row.revision + 1 })
				.where(liveServer(ctx, id)),
			ctx.db.delete(mcpCatalogs).where(catalogOf(ctx, id)),
			ctx.db.delete(mcpCatalogChanges).where(ofServer(mcpCatalogChanges)),
			ctx.db.delete(mcpPinnedTools).where(ofServer(mcpPinnedTools)),
			...replaceReferences(ctx, { type: "mcp_server", id, classification: "active" }, []),
			audit(ctx, "mcp_server.delete", row),
		]);
	} catch (error) {
		if (failedAssertion(error) !== "SERVER_IN_USE") throw error;
		const blockers = await listBlockers(ctx, id);
		throw new ApiError("MCP_SERVER_IN_USE", "The MCP server is in use", { blockers });
	}
	ctx.defer(mcpClientOf(ctx).forget({ organisationId, serverId: id }));
	ctx.defer(removeCatalogs(ctx.env.MEDIA, organisationId, id));
}

import type { DiscoveredTool, McpCapabilities } from "@parley/contracts/agents/mcp-servers";
import { mcpCatalogs } from "@parley/db/agents/mcp-servers";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { CatalogContext, OrganisationContext } from "./organisation-context.ts";

export type CatalogRow = typeof mcpCatalogs.$inferSelect;

/** Maximum size of a list in a D1 row, which may hold two megabytes. Larger lists are stored in the bucket. */
export const MAX_ROW_BYTES = 256 * 1024;

const EMPTY: McpCapabilities = { tools: [], truncated: false, pages_fetched: 0 };

export const catalogOf = (ctx: OrganisationContext, serverId: string) =>
	and(eq(mcpCatalogs.organisationId, ctx.actor.organisation.id), eq(mcpCatalogs.serverId, serverId));

/**
 * Matches if a server still offers a tool exactly as it was pinned. Compares by the hash rule under which the pin was made.
 * `pin` is a row of `json_each` over attachments.
 */
export const offersPin = (ctx: OrganisationContext): SQL => sql`exists (
	select 1 from ${mcpCatalogs},
		json_each(json_array(json(${mcpCatalogs.hashes}), json(coalesce(${mcpCatalogs.olderHashes}, '{}')))) rule,
		json_each(rule.value) offered
	where ${mcpCatalogs.organisationId} = ${ctx.actor.organisation.id}
		and ${mcpCatalogs.serverId} = pin.value ->> 'server_id'
		and offered.key = pin.value ->> 'tool_name' and offered.value = pin.value ->> 'observed_schema_hash')`;

/** Returns the last good tool list of a server; an empty list before the first connect. */
export async function readCapabilities(ctx: CatalogContext, serverId: string): Promise<McpCapabilities> {
	for (let tries = 0; ; tries++) {
		const [row] = await ctx.db.select().from(mcpCatalogs).where(catalogOf(ctx, serverId));
		if (!row) return EMPTY;
		const tools = await readTools(ctx, row);
		if (tools) return { tools, truncated: row.truncated, pages_fetched: row.pagesFetched };
		// A refresh has replaced the object between the two reads.
		if (tries === 3) throw new Error(`The tool list ${row.objectKey} is not in the bucket`);
	}
}

/** Reads the tools of a catalog from its row or the bucket; undefined if the object is gone. */
export async function readTools(
	ctx: CatalogContext,
	row: Pick<CatalogRow, "tools" | "objectKey">,
): Promise<DiscoveredTool[] | undefined> {
	if (row.tools) return row.tools.map(withAllMembers);
	const object = row.objectKey === null ? null : await ctx.env.MEDIA.get(row.objectKey);
	return (await object?.json<DiscoveredTool[]>())?.map(withAllMembers);
}

/** Adds the members that older stored tools lack: title and annotations. */
export const withAllMembers = (tool: DiscoveredTool): DiscoveredTool => ({
	...tool,
	title: tool.title ?? null,
	annotations: tool.annotations ?? null,
});

export const catalogPrefix = (organisationId: string, serverId: string): string =>
	`catalogs/${organisationId}/${serverId}/`;

/** Removes the tool lists of a server from the bucket. */
export async function removeCatalogs(
	bucket: R2Bucket,
	organisationId: string,
	serverId: string,
): Promise<void> {
	const prefix = catalogPrefix(organisationId, serverId);
	for (;;) {
		const { objects, truncated } = await bucket.list({ prefix });
		if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key));
		if (!truncated) return;
	}
}

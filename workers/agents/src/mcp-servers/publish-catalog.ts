import { sha256Hex } from "@parley/canonical/hash";
import type { DiscoveredTool, McpCapabilities, ToolChanges } from "@parley/contracts/mcp-servers";
import { agentAttachments } from "@parley/db/agent-attachments";
import { mcpCatalogChanges, mcpCatalogs, mcpPinnedTools } from "@parley/db/mcp-servers";
import { and, eq, lte, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Ctx } from "../context.ts";
import { type CatalogRow, catalogOf, catalogPrefix, MAX_ROW_BYTES, readTools } from "./catalog.ts";
import { diffCatalogs, type Hashes, hasChanges } from "./catalog-diff.ts";
import type { ServerRow } from "./server-row.ts";

/** Older changes are forgotten, and those that make the history larger than this, but never the newest. */
const KEPT_CHANGES = 100;
const KEPT_BYTES = 1024 * 1024;

export type Publication = {
	changes: ToolChanges;
	/** For the batch that writes the server's record. */
	statements: BatchItem<"sqlite">[];
	/** Objects that nothing points to any more: when the batch is done, and when it failed. */
	garbage: { after: string[]; onFailure: string[] };
};

/** What it takes to make a tool list the server's published one: nothing when it is that already. */
export async function preparePublication(
	ctx: Ctx,
	server: ServerRow,
	found: McpCapabilities,
	observedAt: string,
): Promise<Publication> {
	const [before] = await ctx.db.select().from(mcpCatalogs).where(catalogOf(ctx, server.id));
	const hashes = Object.fromEntries(found.tools.map((tool) => [tool.name, tool.schema_hash]));
	const changes = diffCatalogs(before?.hashes ?? {}, hashes);
	const isNew = hasChanges(changes);
	const isSame =
		before?.truncated === found.truncated && before.pagesFetched === found.pages_fetched && !isNew;
	if (isSame) return { changes, statements: [], garbage: { after: [], onFailure: [] } };
	const stored = await store(ctx, server, found.tools);
	const row: CatalogRow = {
		...{ organisationId: server.organisationId, serverId: server.id, ...stored, hashes },
		...{ truncated: found.truncated, pagesFetched: found.pages_fetched },
	};
	const { organisationId, serverId, ...columns } = row;
	const isOther = stored.objectKey !== before?.objectKey;
	return {
		changes,
		statements: [
			...(isNew ? recordChange(ctx, server, changes, observedAt) : []),
			...(before && isNew ? await keepPinned(ctx, server, before, hashes) : []),
			ctx.db
				.insert(mcpCatalogs)
				.values(row)
				.onConflictDoUpdate({ target: [mcpCatalogs.organisationId, mcpCatalogs.serverId], set: columns }),
		],
		garbage: {
			after: before?.objectKey && isOther ? [before.objectKey] : [],
			onFailure: stored.objectKey && isOther ? [stored.objectKey] : [],
		},
	};
}

/** Small lists go into the row, large ones into the bucket under a name of their own, so that readers meet whole lists. */
async function store(
	ctx: Ctx,
	{ organisationId, id }: ServerRow,
	tools: DiscoveredTool[],
): Promise<Pick<CatalogRow, "tools" | "objectKey">> {
	const bytes = new TextEncoder().encode(JSON.stringify(tools));
	if (bytes.byteLength <= MAX_ROW_BYTES) return { tools, objectKey: null };
	const objectKey = `${catalogPrefix(organisationId, id)}${await sha256Hex(bytes)}.json`;
	await ctx.env.MEDIA.put(objectKey, bytes, { httpMetadata: { contentType: "application/json" } });
	return { tools: null, objectKey };
}

function recordChange(ctx: Ctx, server: ServerRow, changes: ToolChanges, observedAt: string) {
	const { organisationId, id: serverId } = server;
	const capabilityRevision = server.capabilityRevision + 1;
	const ofServer = and(
		eq(mcpCatalogChanges.organisationId, organisationId),
		eq(mcpCatalogChanges.serverId, serverId),
	);
	const revision = mcpCatalogChanges.capabilityRevision;
	const oldestKept = sql`(select min(revision) from (
		select ${revision} as revision, sum(length(cast(${mcpCatalogChanges.changes} as blob))) over (order by ${revision} desc) as bytes
		from ${mcpCatalogChanges} where ${ofServer}) where bytes <= ${KEPT_BYTES} or revision = ${capabilityRevision})`;
	return [
		ctx.db
			.insert(mcpCatalogChanges)
			.values({ organisationId, serverId, capabilityRevision, changes, observedAt }),
		ctx.db
			.delete(mcpCatalogChanges)
			.where(
				and(ofServer, or(lte(revision, capabilityRevision - KEPT_CHANGES), sql`${revision} < ${oldestKept}`)),
			),
	];
}

/** Keeps the tools that attachments are pinned to and that the new list does not have so, and lets go of the others. */
async function keepPinned(ctx: Ctx, server: ServerRow, before: CatalogRow, after: Hashes) {
	const gone = new Set(Object.keys(before.hashes).filter((name) => before.hashes[name] !== after[name]));
	const tools = (await readTools(ctx, before))?.filter(({ name }) => gone.has(name)) ?? [];
	const pinned = await ctx.db
		.select({ hash: agentAttachments.observedSchemaHash })
		.from(agentAttachments)
		.where(pinsOf(server));
	const hashes = new Set(pinned.map(({ hash }) => hash));
	const kept = tools.filter(({ schema_hash }) => hashes.has(schema_hash));
	const { organisationId, id: serverId } = server;
	return [
		...kept.map((tool) =>
			ctx.db
				.insert(mcpPinnedTools)
				.values({ organisationId, serverId, schemaHash: tool.schema_hash, tool })
				.onConflictDoNothing(),
		),
		ctx.db.delete(mcpPinnedTools).where(
			and(
				eq(mcpPinnedTools.organisationId, organisationId),
				eq(mcpPinnedTools.serverId, serverId),
				sql`${mcpPinnedTools.schemaHash} not in (
						select ${agentAttachments.observedSchemaHash} from ${agentAttachments} where ${pinsOf(server)})`,
			),
		),
	];
}

const pinsOf = ({ organisationId, id }: ServerRow): SQL | undefined =>
	and(eq(agentAttachments.organisationId, organisationId), eq(agentAttachments.serverId, id));

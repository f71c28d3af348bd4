import { sha256Hex } from "@parley/bytes/sha256";
import type { DiscoveredTool, McpCapabilities, ToolChanges } from "@parley/contracts/agents/mcp-servers";
import { agentAttachments } from "@parley/db/agents/agent-attachments";
import {
	mcpCatalogChanges,
	mcpCatalogs,
	mcpPinnedTools,
	type RecordedChanges,
} from "@parley/db/agents/mcp-servers";
import {
	type CatalogRow,
	catalogOf,
	catalogPrefix,
	MAX_ROW_BYTES,
	readTools,
} from "@parley/mcp-servers/catalog";
import { olderSchemaHash } from "@parley/mcp-servers/schema-hash";
import type { ServerRow } from "@parley/mcp-servers/server-row";
import { and, eq, lte, or, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Ctx } from "../context.ts";
import { diffCatalogs, type Hashes, hasChanges, NO_CHANGES } from "./catalog-diff.ts";
import { diffTools } from "./tool-diffs.ts";

/** Limits of a server's change history. The oldest changes are deleted first; the newest is always kept. */
const MAX_KEPT_CHANGES = 100;
const MAX_KEPT_BYTES = 1024 * 1024;

export type Publication = {
	changes: ToolChanges;
	/** Statements for the batch that writes the server's record. */
	statements: BatchItem<"sqlite">[];
	/** Keys of R2 objects to delete: `after` once the batch has succeeded, `onFailure` if it failed. */
	garbage: { after: string[]; onFailure: string[] };
};

/** Prepares the statements that publish a tool list. There are none when the list has not changed. */
export async function preparePublication(
	ctx: Ctx,
	server: ServerRow,
	found: McpCapabilities,
	observedAt: string,
): Promise<Publication> {
	const [before] = await ctx.db.select().from(mcpCatalogs).where(catalogOf(ctx, server.id));
	const hashes = Object.fromEntries(found.tools.map((tool) => [tool.name, tool.schema_hash]));
	if (before?.olderHashes && isUnchanged(before, found, hashes))
		return { changes: NO_CHANGES, statements: [], garbage: { after: [], onFailure: [] } };
	const olderHashes = await hashByOlderRule(found.tools);
	// Both lists must be hashed by the same rule to be compared.
	const usesOlderRule = before?.olderHashes === null;
	const changes = diffCatalogs(before?.hashes ?? {}, usesOlderRule ? olderHashes : hashes);
	const stored = await store(ctx, server, found.tools);
	const row: CatalogRow = {
		...{ organisationId: server.organisationId, serverId: server.id, ...stored, hashes, olderHashes },
		...{ truncated: found.truncated, pagesFetched: found.pages_fetched },
	};
	const { organisationId, serverId, ...columns } = row;
	const isNewObject = stored.objectKey !== before?.objectKey;
	return {
		changes,
		statements: [
			...(hasChanges(changes)
				? await recordChange(ctx, server, { before, row, found, changes, observedAt })
				: []),
			ctx.db
				.insert(mcpCatalogs)
				.values(row)
				.onConflictDoUpdate({ target: [mcpCatalogs.organisationId, mcpCatalogs.serverId], set: columns }),
		],
		garbage: {
			after: before?.objectKey && isNewObject ? [before.objectKey] : [],
			onFailure: stored.objectKey && isNewObject ? [stored.objectKey] : [],
		},
	};
}

const isUnchanged = (
	before: CatalogRow,
	{ truncated, pages_fetched }: McpCapabilities,
	hashes: Hashes,
): boolean =>
	before.truncated === truncated &&
	before.pagesFetched === pages_fetched &&
	!hasChanges(diffCatalogs(before.hashes, hashes));

async function hashByOlderRule(tools: readonly DiscoveredTool[]): Promise<Hashes> {
	const hashed = tools.map(async (tool) => [tool.name, await olderSchemaHash(tool)] as const);
	return Object.fromEntries(await Promise.all(hashed));
}

/** Stores a small list in the row. Stores a large one in the bucket under its own key, so that readers never see half a list. */
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

type Change = {
	before: CatalogRow | undefined;
	row: CatalogRow;
	found: McpCapabilities;
	changes: ToolChanges;
	observedAt: string;
};

async function recordChange(
	ctx: Ctx,
	server: ServerRow,
	{ before, row, found, changes, observedAt }: Change,
) {
	const tools = (before && (await readTools(ctx, before))) ?? [];
	const usesOlderRule = before?.olderHashes === null;
	const diffs = diffTools(tools, found.tools, changes.changed, { ignoresHints: usesOlderRule });
	return [
		...addToHistory(ctx, server, { ...changes, diffs }, observedAt),
		...(before ? await keepPinned(ctx, server, tools, { before, after: row }) : []),
	];
}

function addToHistory(ctx: Ctx, server: ServerRow, changes: RecordedChanges, observedAt: string) {
	const { organisationId, id: serverId } = server;
	const capabilityRevision = server.capabilityRevision + 1;
	const ofServer = and(
		eq(mcpCatalogChanges.organisationId, organisationId),
		eq(mcpCatalogChanges.serverId, serverId),
	);
	const revision = mcpCatalogChanges.capabilityRevision;
	const oldestKept = sql`(select min(revision) from (
		select ${revision} as revision, sum(length(cast(${mcpCatalogChanges.changes} as blob))) over (order by ${revision} desc) as bytes
		from ${mcpCatalogChanges} where ${ofServer}) where bytes <= ${MAX_KEPT_BYTES} or revision = ${capabilityRevision})`;
	return [
		ctx.db
			.insert(mcpCatalogChanges)
			.values({ organisationId, serverId, capabilityRevision, changes, observedAt }),
		ctx.db
			.delete(mcpCatalogChanges)
			.where(
				and(
					ofServer,
					or(lte(revision, capabilityRevision - MAX_KEPT_CHANGES), sql`${revision} < ${oldestKept}`),
				),
			),
	];
}

/** Keeps the replaced definitions that attachments are still pinned to, and deletes those without a pin. */
async function keepPinned(
	ctx: Ctx,
	server: ServerRow,
	tools: readonly DiscoveredTool[],
	hashes: { before: CatalogRow; after: CatalogRow },
) {
	const pins = await ctx.db
		.selectDistinct({ hash: agentAttachments.observedSchemaHash })
		.from(agentAttachments)
		.where(pinsOf(server));
	const pinned = new Set(pins.map(({ hash }) => hash));
	const { organisationId, id: serverId } = server;
	return [
		...tools
			.flatMap((tool) => replacedHashes(tool, hashes).map((schemaHash) => ({ schemaHash, tool })))
			.filter(({ schemaHash }) => pinned.has(schemaHash))
			.map((kept) =>
				ctx.db
					.insert(mcpPinnedTools)
					.values({ organisationId, serverId, ...kept })
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

/** Returns a tool's hashes, by either rule, that the previous list had and the new list does not have. */
function replacedHashes(
	{ name }: DiscoveredTool,
	{ before, after }: { before: CatalogRow; after: CatalogRow },
): string[] {
	const [present, older] = before.olderHashes ? [before.hashes, before.olderHashes] : [{}, before.hashes];
	return [
		[present[name], after.hashes[name]],
		[older[name], after.olderHashes?.[name]],
	].flatMap(([had, has]) => (had !== undefined && had !== has ? [had] : []));
}

const pinsOf = ({ organisationId, id }: ServerRow): SQL | undefined =>
	and(eq(agentAttachments.organisationId, organisationId), eq(agentAttachments.serverId, id));

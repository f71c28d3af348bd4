import type {
	CapabilityStatus,
	ConnectError,
	DiscoveredTool,
	McpAuth,
	McpHeaders,
	McpTransport,
	ToolChanges,
	ToolDiff,
} from "@parley/contracts/agents/mcp-servers";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Registered servers. Placeholders stay as written; what a connection found lies beside, in `mcp_catalogs`. */
export const mcpServers = sqliteTable(
	"mcp_servers",
	{
		organisationId: text("organisation_id").notNull(),
		id: text("id").notNull(),
		name: text("name").notNull(),
		description: text("description").notNull(),
		urlTemplate: text("url_template").notNull(),
		transport: text("transport").$type<McpTransport>().notNull(),
		auth: text("auth", { mode: "json" }).$type<McpAuth>().notNull(),
		headers: text("headers", { mode: "json" }).$type<McpHeaders>().notNull(),
		/** Counts changes of the configuration; what a connection finds does not move it. */
		revision: integer("revision").notNull(),
		capabilityStatus: text("capability_status").$type<CapabilityStatus>().notNull(),
		capabilityRevision: integer("capability_revision").notNull(),
		capabilityToolCount: integer("capability_tool_count").notNull(),
		capabilityObservedAt: text("capability_observed_at"),
		capabilityAttemptedAt: text("capability_attempted_at"),
		capabilityError: text("capability_error", { mode: "json" }).$type<ConnectError>(),
		nextRefreshAt: text("next_refresh_at"),
		createdBy: text("created_by").notNull(),
		createdAt: text("created_at").notNull(),
		updatedAt: text("updated_at").notNull(),
		deletedAt: text("deleted_at"),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.id] }),
		uniqueIndex("mcp_servers_name").on(t.organisationId, t.name).where(sql`${t.deletedAt} is null`),
		index("mcp_servers_refresh").on(t.nextRefreshAt).where(sql`${t.nextRefreshAt} is not null`),
	],
);

/** The last good tool list of each server. Every text in it went through the connection's scrubber. */
export const mcpCatalogs = sqliteTable(
	"mcp_catalogs",
	{
		organisationId: text("organisation_id").notNull(),
		serverId: text("server_id").notNull(),
		/** Null when the list is too large for a row; then `object_key` says where it lies. */
		tools: text("tools", { mode: "json" }).$type<DiscoveredTool[]>(),
		objectKey: text("object_key"),
		/** Schema hash by tool name: what pins are compared with, without reading the list. */
		hashes: text("hashes", { mode: "json" }).$type<Record<string, string>>().notNull(),
		/**
		 * Hash of the same tools by the older rule, without title and annotations, for pins that were made by it. Null while
		 * `hashes` itself is by the older rule: in rows from before there was another.
		 */
		olderHashes: text("older_hashes", { mode: "json" }).$type<Record<string, string>>(),
		truncated: integer("truncated", { mode: "boolean" }).notNull(),
		pagesFetched: integer("pages_fetched").notNull(),
	},
	(t) => [primaryKey({ columns: [t.organisationId, t.serverId] })],
);

/** Tools that a change of a tool list added, removed and changed. Older rows have no `diffs`. */
export type RecordedChanges = ToolChanges & { diffs?: ToolDiff[] };

/** The changes of each tool list. */
export const mcpCatalogChanges = sqliteTable(
	"mcp_catalog_changes",
	{
		organisationId: text("organisation_id").notNull(),
		serverId: text("server_id").notNull(),
		capabilityRevision: integer("capability_revision").notNull(),
		changes: text("changes", { mode: "json" }).$type<RecordedChanges>().notNull(),
		observedAt: text("observed_at").notNull(),
	},
	(t) => [primaryKey({ columns: [t.organisationId, t.serverId, t.capabilityRevision] })],
);

/** Tools as they were when agents pinned them and are not any more: the old side of a drift. */
export const mcpPinnedTools = sqliteTable(
	"mcp_pinned_tools",
	{
		organisationId: text("organisation_id").notNull(),
		serverId: text("server_id").notNull(),
		schemaHash: text("schema_hash").notNull(),
		tool: text("tool", { mode: "json" }).$type<DiscoveredTool>().notNull(),
	},
	(t) => [primaryKey({ columns: [t.organisationId, t.serverId, t.schemaHash] })],
);

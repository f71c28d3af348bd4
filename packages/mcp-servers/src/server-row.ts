import type { McpCapabilities, McpServer, McpServerListItem } from "@parley/contracts/agents/mcp-servers";
import { mcpServers } from "@parley/db/agents/mcp-servers";
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { OrganisationContext } from "./organisation-context.ts";

export type ServerRow = typeof mcpServers.$inferSelect;

/** Matches one server of the organisation that is not deleted. */
export const liveServer = (ctx: OrganisationContext, id: string): SQL | undefined =>
	and(
		eq(mcpServers.organisationId, ctx.actor.organisation.id),
		eq(mcpServers.id, id),
		isNull(mcpServers.deletedAt),
	);

/** Configuration of a connection, in wire form. */
export type ServerConfig = Pick<McpServer, "url_template" | "transport" | "auth" | "headers">;

export const configOf = (row: ServerRow): ServerConfig => ({
	url_template: row.urlTemplate,
	transport: row.transport,
	auth: row.auth,
	headers: row.headers,
});

/** Columns of a list item. Leaves out description, headers and tools. */
export const listColumns = {
	id: mcpServers.id,
	name: mcpServers.name,
	url_template: mcpServers.urlTemplate,
	transport: mcpServers.transport,
	revision: mcpServers.revision,
	capability_status: mcpServers.capabilityStatus,
	capability_observed_at: mcpServers.capabilityObservedAt,
	capability_tool_count: mcpServers.capabilityToolCount,
} satisfies Record<keyof McpServerListItem, unknown>;

export const toMcpServer = (row: ServerRow, capabilities: McpCapabilities): McpServer => ({
	id: row.id,
	organisation_id: row.organisationId,
	name: row.name,
	description: row.description,
	...configOf(row),
	revision: row.revision,
	capability_status: row.capabilityStatus,
	capability_revision: row.capabilityRevision,
	capability_tool_count: row.capabilityToolCount,
	capability_observed_at: row.capabilityObservedAt,
	capability_attempted_at: row.capabilityAttemptedAt,
	capability_error: row.capabilityError,
	next_refresh_at: row.nextRefreshAt,
	capabilities,
	created_at: row.createdAt,
	updated_at: row.updatedAt,
});

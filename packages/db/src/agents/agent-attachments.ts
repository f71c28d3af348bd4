import { and, eq } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { agents } from "./agents.ts";

/**
 * The tool and MCP attachments of live agents, one row each: an index of what the agents' configurations say, so that
 * usage, delete guards and bulk upgrades are indexed reads. Rows of a deleted agent are gone.
 */
export const agentAttachments = sqliteTable(
	"agent_attachments",
	{
		organisationId: text("organisation_id").notNull(),
		agentId: text("agent_id").notNull(),
		attachmentId: text("attachment_id").notNull(),
		kind: text("kind", { enum: ["tool", "mcp"] }).notNull(),
		/** Tool and number of the pinned version, of kind `tool`. */
		toolId: text("tool_id"),
		version: integer("version"),
		/** Server, the tool's name there, and the schema hash when it was attached, of kind `mcp`. */
		serverId: text("server_id"),
		toolName: text("tool_name"),
		observedSchemaHash: text("observed_schema_hash"),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.agentId, t.attachmentId] }),
		index("agent_attachments_tool").on(t.organisationId, t.toolId, t.version),
		index("agent_attachments_server").on(t.organisationId, t.serverId, t.toolName),
	],
);

/** Join condition of an attachment and its agent. */
export const ofAgent = and(
	eq(agents.organisationId, agentAttachments.organisationId),
	eq(agents.id, agentAttachments.agentId),
);

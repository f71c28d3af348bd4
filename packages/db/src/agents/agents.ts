import type { AgentConfig } from "@parley/contracts/agents/agents";
import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

export const agents = sqliteTable(
	"agents",
	{
		organisationId: text("organisation_id").notNull(),
		id: text("id").notNull(),
		name: text("name").notNull(),
		status: text("status", { enum: ["active", "inactive"] }).notNull(),
		/** Copied out of the configuration, because a rotation locks active inbound agents. */
		inboundEnabled: integer("inbound_enabled", { mode: "boolean" }).notNull(),
		/** The whole exported configuration; what `config_hash` covers. */
		config: text("config", { mode: "json" }).$type<AgentConfig>().notNull(),
		configHash: text("config_hash").notNull(),
		versionNumber: integer("version_number").notNull(),
		revision: integer("revision").notNull(),
		createdBy: text("created_by").notNull(),
		createdAt: text("created_at").notNull(),
		updatedAt: text("updated_at").notNull(),
		deletedAt: text("deleted_at"),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.id] }),
		uniqueIndex("agents_live_name").on(t.organisationId, t.name).where(sql`${t.deletedAt} is null`),
	],
);

import type { AgentConfig, AgentVersionSource } from "@parley/contracts/agents/agents";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** An immutable state of an agent's configuration. */
export const agentVersions = sqliteTable(
	"agent_versions",
	{
		organisationId: text("organisation_id").notNull(),
		agentId: text("agent_id").notNull(),
		versionNumber: integer("version_number").notNull(),
		id: text("id").notNull(),
		config: text("config", { mode: "json" }).$type<AgentConfig>().notNull(),
		configHash: text("config_hash").notNull(),
		changedFields: text("changed_fields", { mode: "json" }).$type<string[]>().notNull(),
		source: text("source").$type<AgentVersionSource>().notNull(),
		actor: text("actor").notNull(),
		createdAt: text("created_at").notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.agentId, t.versionNumber] }),
		uniqueIndex("agent_versions_id").on(t.organisationId, t.id),
	],
);

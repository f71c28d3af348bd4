import type { AgentConfig, AgentVersionSource } from "@parley/contracts/agents";
import { integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { agents } from "./agents.ts";

/** An immutable state of an agent's configuration. */
export const agentVersions = sqliteTable(
	"agent_versions",
	{
		id: text("id").primaryKey(),
		organisationId: text("organisation_id").notNull(),
		agentId: text("agent_id")
			.notNull()
			.references(() => agents.id),
		versionNumber: integer("version_number").notNull(),
		config: text("config", { mode: "json" }).$type<AgentConfig>().notNull(),
		configHash: text("config_hash").notNull(),
		changedFields: text("changed_fields", { mode: "json" }).$type<string[]>().notNull(),
		source: text("source").$type<AgentVersionSource>().notNull(),
		actor: text("actor").notNull(),
		createdAt: text("created_at").notNull(),
	},
	(t) => [uniqueIndex("agent_versions_number").on(t.organisationId, t.agentId, t.versionNumber)],
);

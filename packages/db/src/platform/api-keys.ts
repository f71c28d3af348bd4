import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { organisations } from "./organisations.ts";

export const apiKeys = sqliteTable(
	"api_keys",
	{
		id: text("id").primaryKey(),
		organisationId: text("organisation_id")
			.notNull()
			.references(() => organisations.id),
		family: text("family", { enum: ["consumer", "batch", "agent", "legacy"] }).notNull(),
		label: text("label").notNull(),
		/** SHA-256 of the whole key, lower hex. The key itself is never stored. */
		hash: text("hash").notNull(),
		prefix: text("prefix").notNull(),
		lastFour: text("last_four").notNull(),
		scopes: text("scopes", { mode: "json" }).$type<string[]>().notNull(),
		/** Agent that a key of the family `agent` is bound to, and the version that it is pinned to, if any. */
		agentId: text("agent_id"),
		agentVersion: integer("agent_version"),
		createdBy: text("created_by").notNull(),
		createdAt: text("created_at").notNull(),
		expiresAt: text("expires_at"),
		lastUsedAt: text("last_used_at"),
		deletedAt: text("deleted_at"),
	},
	(t) => [
		uniqueIndex("api_keys_hash").on(t.hash),
		index("api_keys_organisation").on(t.organisationId, t.createdAt),
		index("api_keys_agent").on(t.organisationId, t.agentId).where(sql`${t.agentId} is not null`),
	],
);

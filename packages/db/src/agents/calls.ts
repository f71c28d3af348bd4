import type { CallDirection, CallStatus } from "@parley/contracts/agents/calls";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Calls as the voice runtime reports them. A call keeps the agent version it began with. */
export const calls = sqliteTable(
	"calls",
	{
		organisationId: text("organisation_id").notNull(),
		id: text("id").notNull(),
		agentId: text("agent_id").notNull(),
		agentVersion: integer("agent_version").notNull(),
		direction: text("direction").$type<CallDirection>().notNull(),
		/** The column keeps the name that the field had first. */
		status: text("state").$type<CallStatus>().notNull(),
		fromNumber: text("from_number"),
		toNumber: text("to_number"),
		externalId: text("external_id"),
		reason: text("reason"),
		metadata: text("metadata", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
		revision: integer("revision").notNull(),
		createdAt: text("created_at").notNull(),
		updatedAt: text("updated_at").notNull(),
		answeredAt: text("answered_at"),
		endedAt: text("ended_at"),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.id] }),
		index("calls_agent").on(t.organisationId, t.agentId, t.createdAt, t.id),
		/** Live calls are few and hold references; ended ones are many and do not. */
		index("calls_live").on(t.organisationId, t.agentId, t.agentVersion).where(sql`${t.endedAt} is null`),
	],
);

import type { RuntimeCaller, RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Live calls and chats that use an agent's tools. A session keeps the agent version it began with. */
export const runtimeSessions = sqliteTable(
	"runtime_sessions",
	{
		id: text("id").primaryKey(),
		organisationId: text("organisation_id").notNull(),
		agentId: text("agent_id").notNull(),
		agentVersion: integer("agent_version").notNull(),
		/** SHA-256 of the token, lower hex. The token itself is never stored. */
		hash: text("hash").notNull(),
		variables: text("variables", { mode: "json" }).$type<RuntimeVariables>().notNull(),
		caller: text("caller", { mode: "json" }).$type<RuntimeCaller>().notNull(),
		/** Recorded call that the session's tool calls belong to. */
		callId: text("call_id"),
		/** Whether tools answer from their test cases instead of running. */
		mocks: integer("mocks", { mode: "boolean" }).notNull(),
		/** API key or agent key that opened the session. Its revocation ends the session. */
		apiKeyId: text("api_key_id"),
		createdBy: text("created_by").notNull(),
		createdAt: text("created_at").notNull(),
		expiresAt: text("expires_at").notNull(),
		endedAt: text("ended_at"),
	},
	(t) => [
		uniqueIndex("runtime_sessions_hash").on(t.hash),
		index("runtime_sessions_agent").on(t.organisationId, t.agentId, t.createdAt, t.id),
		index("runtime_sessions_expiry").on(t.expiresAt),
	],
);
export type RuntimeSessionRow = typeof runtimeSessions.$inferSelect;

import type { Directive, ToolCall, ToolCallError } from "@parley/contracts/agents/tool-calls";
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Tool calls of live agents. Every text in a row went through the call's scrubber. */
export const toolCalls = sqliteTable(
	"tool_calls",
	{
		organisationId: text("organisation_id").notNull(),
		/** Sorts by the time at which the call started. */
		id: text("id").notNull(),
		agentId: text("agent_id").notNull(),
		agentVersion: integer("agent_version").notNull(),
		attachmentId: text("attachment_id").notNull(),
		name: text("name").notNull(),
		/** Id of the tool; of the server for a tool of an MCP server. */
		toolId: text("tool_id").notNull(),
		versionNumber: integer("version_number"),
		sessionId: text("session_id"),
		callId: text("call_id"),
		toolCallId: text("tool_call_id"),
		event: text("event").$type<NonNullable<ToolCall["event"]>>(),
		status: text("status").$type<ToolCall["status"]>().notNull(),
		arguments: text("arguments", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
		output: text("output", { mode: "json" }).$type<unknown>(),
		directive: text("directive", { mode: "json" }).$type<Directive>(),
		error: text("error", { mode: "json" }).$type<ToolCallError>(),
		validation: text("validation", { enum: ["valid", "mismatch", "na"] }).notNull(),
		logs: text("logs", { mode: "json" }).$type<string[]>().notNull(),
		mocked: integer("mocked", { mode: "boolean" }).notNull(),
		latencyMs: integer("latency_ms"),
		actor: text("actor").notNull(),
		createdAt: text("created_at").notNull(),
		/** Time after which a call that still runs has lost its worker. */
		expiresAt: text("expires_at").notNull(),
		endedAt: text("ended_at"),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.id] }),
		index("tool_calls_agent").on(t.organisationId, t.agentId, t.id),
		index("tool_calls_session")
			.on(t.organisationId, t.sessionId, t.id)
			.where(sql`${t.sessionId} is not null`),
		index("tool_calls_call").on(t.organisationId, t.callId, t.id).where(sql`${t.callId} is not null`),
		/** Only calls that last longer than a moment are ever in it. */
		index("tool_calls_running").on(t.expiresAt).where(sql`${t.status} = 'running'`),
	],
);

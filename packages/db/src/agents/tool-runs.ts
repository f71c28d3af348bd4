import type { ToolRun } from "@parley/contracts/agents/tool-runs";
import type { RunStatus } from "@parley/contracts/agents/tools";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** History of test runs. Every text in a row went through the run's scrubber. */
export const toolRuns = sqliteTable(
	"tool_runs",
	{
		organisationId: text("organisation_id").notNull(),
		id: text("id").notNull(),
		toolId: text("tool_id").notNull(),
		/** The published version that ran; null for the draft. */
		versionNumber: integer("version_number"),
		status: text("status").$type<RunStatus>().notNull(),
		validation: text("validation", { enum: ["valid", "mismatch", "na"] }).notNull(),
		latencyMs: integer("latency_ms").notNull(),
		/** Hash of the content that ran. */
		contentHash: text("content_hash").notNull(),
		sampleInput: text("sample_input", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
		output: text("output", { mode: "json" }).$type<unknown>(),
		logs: text("logs", { mode: "json" }).$type<string[]>().notNull(),
		logsTruncated: integer("logs_truncated", { mode: "boolean" }).notNull().default(false),
		error: text("error", { mode: "json" }).$type<NonNullable<ToolRun["error"]>>(),
		actor: text("actor").notNull(),
		createdAt: text("created_at").notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.id] }),
		// Ids sort by time, so this is the history of a tool in order.
		index("tool_runs_tool").on(t.organisationId, t.toolId, t.id),
	],
);

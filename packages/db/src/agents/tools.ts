import type { ToolConfig, ToolType } from "@parley/contracts/agents/tool-config";
import type { ArgumentDefaults, RunStatus } from "@parley/contracts/agents/tools";
import type { BuildError, FrozenDependency } from "@parley/contracts/internal/python-rpc";
import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

type Json = Record<string, unknown>;

/** An organisation's own tools. Curated tools are constant data, not rows. */
export const tools = sqliteTable(
	"tools",
	{
		organisationId: text("organisation_id").notNull(),
		id: text("id").notNull(),
		name: text("name").notNull(),
		toolType: text("tool_type").$type<ToolType>().notNull(),
		description: text("description").notNull(),
		config: text("config", { mode: "json" }).$type<ToolConfig>().notNull(),
		argumentDefaults: text("argument_defaults", { mode: "json" }).$type<ArgumentDefaults>().notNull(),
		/** Python source of `code` tools, null for the others. */
		codeSrc: text("code_src"),
		declaredSecrets: text("declared_secrets", { mode: "json" }).$type<string[]>().notNull(),
		dependencies: text("dependencies", { mode: "json" }).$type<string[]>().notNull(),
		revision: integer("revision").notNull(),
		contentHash: text("content_hash").notNull(),
		/** Content hash of the last run that succeeded and did not contradict its output schema. */
		provenHash: text("proven_hash"),
		lastRunStatus: text("last_run_status").$type<RunStatus>(),
		latestVersion: integer("latest_version"),
		/** The published version that holds today's content, if there is one. */
		contentVersion: integer("content_version"),
		/** Hash of the part of the content that a build reads. It and what follows is null for tools that are not built. */
		sourceHash: text("source_hash"),
		/** How the build of the present source stands. */
		buildState: text("build_state", { enum: ["not_built", "building", "built", "failed"] }),
		buildErrors: text("build_errors", { mode: "json" }).$type<BuildError[]>(),
		/** The build that runs, and until when it is believed to; whoever builds prolongs it. */
		buildId: text("build_id"),
		buildUntil: text("build_until"),
		/** Hash of the source of the last successful build. If the source differs now, the next three columns are stale. */
		builtHash: text("built_hash"),
		builtAt: text("built_at"),
		frozenDeps: text("frozen_deps", { mode: "json" }).$type<FrozenDependency[]>(),
		argSchema: text("arg_schema", { mode: "json" }).$type<Json>(),
		outputSchema: text("output_schema", { mode: "json" }).$type<Json>(),
		createdBy: text("created_by").notNull(),
		createdAt: text("created_at").notNull(),
		updatedAt: text("updated_at").notNull(),
		deletedAt: text("deleted_at"),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.id] }),
		uniqueIndex("tools_name").on(t.organisationId, t.name).where(sql`${t.deletedAt} is null`),
		uniqueIndex("tools_singleton")
			.on(t.organisationId, t.toolType)
			.where(sql`${t.deletedAt} is null and ${t.toolType} in ('send_sms', 'transfer_call', 'end_call')`),
	],
);

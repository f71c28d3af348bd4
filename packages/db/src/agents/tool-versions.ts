import type { ToolSnapshot } from "@parley/contracts/agents/tools";
import type { FrozenDependency } from "@parley/contracts/internal/python-rpc";
import { and, eq } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { tools } from "./tools.ts";

type Json = Record<string, unknown>;

/** Published versions: immutable, numbered from 1 without gaps, one for each content. */
export const toolVersions = sqliteTable(
	"tool_versions",
	{
		organisationId: text("organisation_id").notNull(),
		toolId: text("tool_id").notNull(),
		versionNumber: integer("version_number").notNull(),
		id: text("id").notNull(),
		contentHash: text("content_hash").notNull(),
		/** The wire's `snapshot_json`. */
		snapshot: text("snapshot", { mode: "json" }).$type<ToolSnapshot>().notNull(),
		codeSrc: text("code_src"),
		declaredSecrets: text("declared_secrets", { mode: "json" }).$type<string[]>().notNull(),
		dependencies: text("dependencies", { mode: "json" }).$type<string[]>().notNull(),
		frozenDeps: text("frozen_deps", { mode: "json" }).$type<FrozenDependency[]>().notNull(),
		outputSchema: text("output_schema", { mode: "json" }).$type<Json>(),
		publishedBy: text("published_by").notNull(),
		publishedAt: text("published_at").notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.toolId, t.versionNumber] }),
		uniqueIndex("tool_versions_id").on(t.organisationId, t.id),
		uniqueIndex("tool_versions_content").on(t.organisationId, t.toolId, t.contentHash),
	],
);

/** Join condition of a version and its tool. */
export const ofTool = and(
	eq(tools.organisationId, toolVersions.organisationId),
	eq(tools.id, toolVersions.toolId),
);

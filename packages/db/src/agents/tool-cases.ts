import type { CaseExpectation, CaseLastResult, CaseMock } from "@parley/contracts/agents/tool-cases";
import { primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Test cases of tools. */
export const toolCases = sqliteTable(
	"tool_cases",
	{
		organisationId: text("organisation_id").notNull(),
		toolId: text("tool_id").notNull(),
		id: text("id").notNull(),
		name: text("name").notNull(),
		arguments: text("arguments", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
		expect: text("expect", { mode: "json" }).$type<CaseExpectation>().notNull(),
		mock: text("mock", { mode: "json" }).$type<CaseMock>(),
		/** Result of the last run against the draft; null since the last change of the case. */
		lastResult: text("last_result", { mode: "json" }).$type<CaseLastResult>(),
		createdBy: text("created_by").notNull(),
		createdAt: text("created_at").notNull(),
		updatedAt: text("updated_at").notNull(),
	},
	// Ids sort by time, so the key lists a tool's cases in order of creation.
	(t) => [
		primaryKey({ columns: [t.organisationId, t.toolId, t.id] }),
		uniqueIndex("tool_cases_name").on(t.organisationId, t.toolId, t.name),
	],
);

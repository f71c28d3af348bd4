import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row for each change that somebody made; written in the batch of the change itself, never altered. */
export const auditLog = sqliteTable(
	"audit_log",
	{
		organisationId: text("organisation_id").notNull(),
		id: text("id").notNull(),
		actor: text("actor").notNull(),
		action: text("action").notNull(),
		resourceType: text("resource_type").notNull(),
		resourceId: text("resource_id").notNull(),
		/** The name at the time of the change. */
		resourceName: text("resource_name").notNull(),
		details: text("details", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
		requestId: text("request_id").notNull(),
		createdAt: text("created_at").notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.id] }),
		index("audit_log_time").on(t.organisationId, t.createdAt, t.id),
		index("audit_log_resource").on(t.organisationId, t.resourceType, t.resourceId, t.createdAt),
	],
);

import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row per build or run that an organisation has in the sandbox. A crash leaves its row behind until it expires. */
export const sandboxSlots = sqliteTable(
	/** The table keeps its first name: renaming it would stop the workers that run during a deployment. */
	"sandbox_places",
	{
		organisationId: text("organisation_id").notNull(),
		id: text("id").notNull(),
		expiresAt: text("held_until").notNull(),
	},
	(t) => [primaryKey({ columns: [t.organisationId, t.id] })],
);

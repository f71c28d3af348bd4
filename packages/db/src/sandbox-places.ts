import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** One row for each piece of an organisation's code that is in the sandbox now. A row past its time was left by a crash. */
export const sandboxPlaces = sqliteTable(
	"sandbox_places",
	{
		organisationId: text("organisation_id").notNull(),
		id: text("id").notNull(),
		heldUntil: text("held_until").notNull(),
	},
	(t) => [primaryKey({ columns: [t.organisationId, t.id] })],
);

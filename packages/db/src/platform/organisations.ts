import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Switches of an organisation; a missing one has its default (`code_tools` on, the others off). */
export type Features = { code_tools?: boolean; curated_types_creatable?: boolean };

export const DEFAULT_FEATURES: Required<Features> = { code_tools: true, curated_types_creatable: false };

export const organisations = sqliteTable("organisations", {
	id: text("id").primaryKey(),
	name: text("name").notNull(),
	tier: text("tier").notNull().default("standard"),
	features: text("features", { mode: "json" }).$type<Features>().notNull().default({}),
	/** Audio seconds left; null is unlimited. */
	creditSeconds: integer("credit_seconds"),
	createdAt: text("created_at").notNull(),
	updatedAt: text("updated_at").notNull(),
});

import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * What signs an organisation's notifications. The newest has no end; those before it sign beside it until theirs. Of two
 * rotations at once the primary key lets one through.
 */
export const webhookSecrets = sqliteTable(
	"webhook_secrets",
	{
		organisationId: text("organisation_id").notNull(),
		revision: integer("revision").notNull(),
		id: text("id").notNull(),
		sealedSecret: text("sealed_secret").notNull(),
		createdBy: text("created_by").notNull(),
		createdAt: text("created_at").notNull(),
		expiresAt: text("expires_at"),
	},
	(t) => [primaryKey({ columns: [t.organisationId, t.revision] })],
);
export type WebhookSecretRow = typeof webhookSecrets.$inferSelect;

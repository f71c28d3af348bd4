import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Signing secrets of an organisation's notifications. The newest does not expire; older ones sign beside it until they expire. The
 * primary key lets only one of two concurrent rotations succeed.
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

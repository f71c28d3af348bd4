import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Clients that registered themselves with the authorization server. They belong to no organisation. */
export const oauthClients = sqliteTable(
	"oauth_clients",
	{
		id: text("id").primaryKey(),
		/** Registration as the OAuth library writes it, in JSON. It holds secrets as hashes. */
		value: text("value").notNull(),
		/** Time at which the registration ends unless it is used; null for never. */
		expiresAt: text("expires_at"),
	},
	(t) => [index("oauth_clients_expiry").on(t.expiresAt)],
);

/** What people granted to clients, and the access tokens of each grant. */
export const oauthRecords = sqliteTable(
	"oauth_records",
	{
		organisationId: text("organisation_id").notNull(),
		/** `grant:<subject>:<grant>` or `token:<subject>:<grant>:<hash of the token>`. */
		key: text("key").notNull(),
		/** Record as the OAuth library writes it, in JSON. It holds codes and tokens as hashes. */
		value: text("value").notNull(),
		/** What a list returns of the record. */
		metadata: text("metadata", { mode: "json" }).$type<unknown>(),
		expiresAt: text("expires_at"),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.key] }),
		index("oauth_records_expiry").on(t.organisationId, t.expiresAt),
	],
);

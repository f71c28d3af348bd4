import { blob, index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Requests sent with an Idempotency-Key. The key itself is not stored: it is what the other columns are keyed by. */
export const idempotencyKeys = sqliteTable(
	"idempotency_keys",
	{
		organisationId: text("organisation_id").notNull(),
		/** Keyed hash of the route. */
		id: text("id").notNull(),
		/** Keyed hash of the whole request. */
		fingerprint: text("fingerprint").notNull(),
		/** The execution that holds the lease, or held it last. */
		owner: text("owner").notNull(),
		/** While the first execution runs; null once it is answered. */
		leaseUntil: text("lease_until"),
		/** The answer, sealed under the caller's key. */
		answer: blob("answer", { mode: "buffer" }),
		expiresAt: text("expires_at").notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.id] }),
		index("idempotency_keys_expiry").on(t.organisationId, t.expiresAt),
	],
);

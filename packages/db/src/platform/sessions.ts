import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Sessions of the console. A session ends with its time, its person or its API key. */
export const sessions = sqliteTable(
	"sessions",
	{
		id: text("id").primaryKey(),
		organisationId: text("organisation_id").notNull(),
		/** SHA-256 of the token in the cookie, lower hex. The token itself is never stored. */
		hash: text("hash").notNull(),
		/** Person who is signed in; null when the API key stands for nobody. */
		userId: text("user_id"),
		/** API key that opened the session. Its revocation ends the session. */
		apiKeyId: text("api_key_id"),
		door: text("door", { enum: ["key", "code", "local", "oidc", "access"] }).notNull(),
		/** Browser as it named itself, shortened. */
		userAgent: text("user_agent").notNull(),
		createdAt: text("created_at").notNull(),
		/** Time of the last use, within a minute. */
		lastUsedAt: text("last_used_at").notNull(),
		/** Time at which an unused session ends. Each use moves it, up to `ends_at`. */
		expiresAt: text("expires_at").notNull(),
		endsAt: text("ends_at").notNull(),
		endedAt: text("ended_at"),
	},
	(t) => [
		uniqueIndex("sessions_hash").on(t.hash),
		index("sessions_organisation").on(t.organisationId, t.createdAt),
	],
);
export type SessionRow = typeof sessions.$inferSelect;

/** One-time codes that open a session as an API key would. */
export const signInCodes = sqliteTable(
	"sign_in_codes",
	{
		/** SHA-256 of the code, lower hex. */
		hash: text("hash").primaryKey(),
		organisationId: text("organisation_id").notNull(),
		apiKeyId: text("api_key_id").notNull(),
		expiresAt: text("expires_at").notNull(),
	},
	(t) => [index("sign_in_codes_organisation").on(t.organisationId, t.expiresAt)],
);

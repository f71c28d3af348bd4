import { sql } from "drizzle-orm";
import { index, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { organisations } from "./organisations.ts";

/** People of an organisation: invited ones, and those who have signed in. */
export const users = sqliteTable(
	"users",
	{
		id: text("id").primaryKey(),
		organisationId: text("organisation_id")
			.notNull()
			.references(() => organisations.id),
		/** E-mail address in lower case; null for an owner who came with an API key and has not given one. */
		email: text("email"),
		name: text("name"),
		role: text("role", { enum: ["owner", "admin", "developer", "viewer"] }).notNull(),
		/** API key with which the first owner came. Whoever presents it signs in as that person. */
		apiKeyId: text("api_key_id"),
		createdBy: text("created_by").notNull(),
		createdAt: text("created_at").notNull(),
		updatedAt: text("updated_at").notNull(),
		/** Time of the last sign-in; null while the invitation is open. */
		lastSignInAt: text("last_sign_in_at"),
		deletedAt: text("deleted_at"),
	},
	(t) => [
		uniqueIndex("users_email")
			.on(t.organisationId, t.email)
			.where(sql`${t.email} is not null and ${t.deletedAt} is null`),
		uniqueIndex("users_api_key")
			.on(t.apiKeyId)
			.where(sql`${t.apiKeyId} is not null and ${t.deletedAt} is null`),
		index("users_address").on(t.email),
		index("users_organisation").on(t.organisationId, t.createdAt),
	],
);
export type UserRow = typeof users.$inferSelect;

/** Accounts at identity providers, by issuer and subject. The first sign-in binds one to the invited person. */
export const userIdentities = sqliteTable(
	"user_identities",
	{
		organisationId: text("organisation_id").notNull(),
		userId: text("user_id").notNull(),
		issuer: text("issuer").notNull(),
		subject: text("subject").notNull(),
		createdAt: text("created_at").notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.userId, t.issuer] }),
		uniqueIndex("user_identities_subject").on(t.issuer, t.subject, t.organisationId),
	],
);

import type { VaultKind, VaultReference } from "@parley/contracts/agents/secrets";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** The data key that seals an organisation's entries, itself wrapped by the deployment's key-encryption key. */
export const vaultDataKeys = sqliteTable("vault_data_keys", {
	organisationId: text("organisation_id").primaryKey(),
	id: text("id").notNull(),
	wrappedKey: text("wrapped_key").notNull(),
	/** Which key-encryption key wrapped it. */
	kekId: text("kek_id").notNull(),
	createdAt: text("created_at").notNull(),
	rewrappedAt: text("rewrapped_at"),
});

/** Deleting an entry deletes its row: a sealed value outlives nothing. */
export const vaultEntries = sqliteTable(
	"vault_entries",
	{
		organisationId: text("organisation_id").notNull(),
		id: text("id").notNull(),
		name: text("name").notNull(),
		kind: text("kind").$type<VaultKind>().notNull(),
		description: text("description").notNull(),
		sealedValue: text("sealed_value").notNull(),
		isManaged: integer("is_managed", { mode: "boolean" }).notNull().default(false),
		revision: integer("revision").notNull(),
		createdBy: text("created_by").notNull(),
		lastRotatedBy: text("last_rotated_by").notNull(),
		lastRotatedAt: text("last_rotated_at").notNull(),
		createdAt: text("created_at").notNull(),
		updatedAt: text("updated_at").notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.name] }),
		uniqueIndex("vault_entries_id").on(t.organisationId, t.id),
	],
);

export type HolderType = VaultReference["resource_type"];
export type Classification = VaultReference["classification"];

/**
 * Uses of vault names. Written in the batch of the holder, whose name is looked up on read. The classification is the holder's own: a
 * published tool version counts as active while a live agent is pinned to it.
 */
export const vaultReferences = sqliteTable(
	"vault_references",
	{
		organisationId: text("organisation_id").notNull(),
		entryName: text("entry_name").notNull(),
		holderType: text("holder_type").$type<HolderType>().notNull(),
		holderId: text("holder_id").notNull(),
		/** Dotted path in the holder, such as `config.auth.secret_name`. */
		location: text("location").notNull(),
		classification: text("classification").$type<Classification>().notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.entryName, t.holderType, t.holderId, t.location] }),
		index("vault_references_holder").on(t.organisationId, t.holderType, t.holderId),
	],
);

/** Agents that must not change while an entry they use is rotated. A row past `expires_at` locks nothing. */
export const vaultRotationLocks = sqliteTable(
	"vault_rotation_locks",
	{
		organisationId: text("organisation_id").notNull(),
		agentId: text("agent_id").notNull(),
		/** Each rotation has its own rows, so that two of them do not release each other's locks. */
		rotationId: text("rotation_id").notNull(),
		entryName: text("entry_name").notNull(),
		expiresAt: text("expires_at").notNull(),
	},
	(t) => [
		primaryKey({ columns: [t.organisationId, t.agentId, t.rotationId] }),
		index("vault_rotation_locks_rotation").on(t.organisationId, t.rotationId),
	],
);

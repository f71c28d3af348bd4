import { ApiError } from "@parley/contracts/api-error";
import type { VaultEntry, VaultKind } from "@parley/contracts/secrets";
import { vaultDataKeys, vaultEntries } from "@parley/db/vault";
import type { DataKey } from "@parley/vault/keys";
import { type EntryBinding, open } from "@parley/vault/seal";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { unwrapRow } from "./data-keys.ts";

export type EntryRow = typeof vaultEntries.$inferSelect;
export type SealedEntry = { entry: EntryRow; dataKey: DataKey };

export const bindingOf = (entry: Omit<EntryBinding, "entryId"> & { id: string }): EntryBinding => ({
	organisationId: entry.organisationId,
	entryId: entry.id,
	name: entry.name,
	kind: entry.kind,
	revision: entry.revision,
});

/** Entries of the organisation by name, each with the key that opens it; one statement. */
export async function readEntries(ctx: Ctx, condition?: SQL): Promise<SealedEntry[]> {
	const rows = await ctx.db
		.select({ entry: vaultEntries, key: vaultDataKeys })
		.from(vaultEntries)
		.innerJoin(vaultDataKeys, eq(vaultDataKeys.organisationId, vaultEntries.organisationId))
		.where(and(eq(vaultEntries.organisationId, ctx.actor.organisation.id), condition))
		.orderBy(vaultEntries.name);
	const [first] = rows;
	if (!first) return [];
	const dataKey = await unwrapRow(ctx, first.key);
	return rows.map(({ entry }) => ({ entry, dataKey }));
}

/** The condition that an entry has one of these names. */
export const hasNameOf = (names: readonly string[]): SQL =>
	sql`${vaultEntries.name} in (select value from json_each(${JSON.stringify([...new Set(names)])}))`;

/** @throws ApiError RESOURCE_NOT_FOUND */
export async function readEntry(ctx: Ctx, name: string): Promise<SealedEntry> {
	const [found] = await readEntries(ctx, eq(vaultEntries.name, name));
	if (!found) throw new ApiError("RESOURCE_NOT_FOUND", "No such vault entry");
	return found;
}

/** The kind of an entry, without opening it; undefined when there is none. */
export async function findKind(ctx: Ctx, name: string): Promise<VaultKind | undefined> {
	const [found] = await ctx.db
		.select({ kind: vaultEntries.kind })
		.from(vaultEntries)
		.where(and(eq(vaultEntries.organisationId, ctx.actor.organisation.id), eq(vaultEntries.name, name)));
	return found?.kind;
}

/** Whoever may read or write the vault may see what it holds; without `vault:read` that is all but the values of variables. */
export const seesVault = ({ actor }: Ctx): boolean =>
	actor.scopes.has("vault:read") || actor.scopes.has("vault:write");

/** @throws ApiError FORBIDDEN */
export function assertSeesVault(ctx: Ctx): void {
	if (!seesVault(ctx)) throw new ApiError("FORBIDDEN", "This API key lacks the scope vault:read");
}

/** An entry as it is answered: a variable's value for those who may read it, a secret's for nobody. */
export async function toVaultEntry(ctx: Ctx, { entry, dataKey }: SealedEntry): Promise<VaultEntry> {
	const isReadable = entry.kind === "variable" && ctx.actor.scopes.has("vault:read");
	return {
		id: entry.id,
		organisation_id: entry.organisationId,
		name: entry.name,
		kind: entry.kind,
		description: entry.description,
		value: isReadable ? await open(dataKey, entry.sealedValue, bindingOf(entry)) : null,
		has_value: true,
		is_managed: entry.isManaged,
		revision: entry.revision,
		created_by: entry.createdBy,
		last_rotated_by: entry.lastRotatedBy,
		last_rotated_at: entry.lastRotatedAt,
		created_at: entry.createdAt,
		updated_at: entry.updatedAt,
	};
}

export type OpenedEntry = { value: string; kind: VaultKind };

/**
 * Opens entries for work that needs their values: a run of a tool, a connection to an MCP server. Every value given must
 * be scrubbed from what that work answers, logs and stores. Names that do not exist are absent.
 */
export async function openEntries(ctx: Ctx, names: readonly string[]): Promise<Map<string, OpenedEntry>> {
	if (names.length === 0) return new Map();
	const found = await readEntries(ctx, hasNameOf(names));
	const opened = found.map(
		async ({ entry, dataKey }): Promise<[string, OpenedEntry]> => [
			entry.name,
			{ value: await open(dataKey, entry.sealedValue, bindingOf(entry)), kind: entry.kind },
		],
	);
	return new Map(await Promise.all(opened));
}

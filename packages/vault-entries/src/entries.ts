import type { VerbContext } from "@parley/context/verb-context";
import type { VaultKind } from "@parley/contracts/agents/secrets";
import { vaultDataKeys, vaultEntries } from "@parley/db/agents/vault";
import { kekRing } from "@parley/vault/kek-ring";
import { type DataKey, unwrapDataKey } from "@parley/vault/keys";
import { type EntryBinding, open } from "@parley/vault/seal";
import { and, eq, type SQL, sql } from "drizzle-orm";

/** The part of a verb's context that reads the vault of the actor's organisation. */
export type VaultContext = Pick<VerbContext<{ VAULT_KEK: string }>, "db" | "env" | "actor">;

export type DataKeyRow = typeof vaultDataKeys.$inferSelect;
export type EntryRow = typeof vaultEntries.$inferSelect;
export type SealedEntry = { entry: EntryRow; dataKey: DataKey };
export type OpenedEntry = { value: string; kind: VaultKind };

/** Unwraps an organisation's data key. @throws VaultError when `VAULT_KEK` has no key that it was wrapped by */
export const unwrapRow = async ({ env }: Pick<VaultContext, "env">, row: DataKeyRow): Promise<DataKey> =>
	unwrapDataKey(await kekRing(env.VAULT_KEK), row.wrappedKey, {
		organisationId: row.organisationId,
		keyId: row.id,
	});

/** Returns what the value of an entry is sealed to. */
export const bindingOf = (entry: Omit<EntryBinding, "entryId"> & { id: string }): EntryBinding => ({
	organisationId: entry.organisationId,
	entryId: entry.id,
	name: entry.name,
	kind: entry.kind,
	revision: entry.revision,
});

/** Returns entries of the organisation by name, each with the key that opens it. One statement. */
export async function readEntries(ctx: VaultContext, condition?: SQL): Promise<SealedEntry[]> {
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

/**
 * Opens entries for work that needs their values: a run of a tool, a connection to an MCP server. That work must scrub every
 * value from what it returns, logs and stores. Names without an entry are absent.
 */
export async function openEntries(
	ctx: VaultContext,
	names: readonly string[],
): Promise<Map<string, OpenedEntry>> {
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

/** Opens the variables among the named entries. Secrets stay closed, and they and names without an entry are absent. */
export async function openVariables(
	ctx: VaultContext,
	names: readonly string[],
): Promise<Map<string, string>> {
	if (names.length === 0) return new Map();
	const found = await readEntries(ctx, and(hasNameOf(names), eq(vaultEntries.kind, "variable")));
	const opened = found.map(
		async ({ entry, dataKey }): Promise<[string, string]> => [
			entry.name,
			await open(dataKey, entry.sealedValue, bindingOf(entry)),
		],
	);
	return new Map(await Promise.all(opened));
}

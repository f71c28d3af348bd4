import type { VaultEntry, VaultKind } from "@parley/contracts/agents/secrets";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { vaultEntries } from "@parley/db/agents/vault";
import { open } from "@parley/vault/seal";
import { bindingOf, readEntries, type SealedEntry } from "@parley/vault-entries/entries";
import { and, eq } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** @throws ApiError RESOURCE_NOT_FOUND */
export async function readEntry(ctx: Ctx, name: string): Promise<SealedEntry> {
	const [found] = await readEntries(ctx, eq(vaultEntries.name, name));
	if (!found) throw notFound("Vault entry", name);
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

/**
 * Whether an actor sees the names of the vault's entries: holders of either scope, and every person who is signed in. Only
 * `vault:read` shows the values of variables.
 */
export const seesVault = ({ actor }: Ctx): boolean =>
	actor.scopes.has("vault:read") || actor.scopes.has("vault:write") || isPerson(actor);

const isPerson = (actor: Ctx["actor"]): boolean => actor.type === "session" && actor.userId !== null;

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

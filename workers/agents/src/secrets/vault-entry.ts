import type { VaultEntry, VaultKind } from "@parley/contracts/agents/secrets";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { vaultEntries } from "@parley/db/agents/vault";
import { open } from "@parley/vault/seal";
import { bindingOf, readEntries, type SealedEntry } from "@parley/vault-entries/entries";
import { and, eq } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Returns an entry with its data key. @throws ApiError RESOURCE_NOT_FOUND */
export async function readEntry(ctx: Ctx, name: string): Promise<SealedEntry> {
	const [found] = await readEntries(ctx, eq(vaultEntries.name, name));
	if (!found) throw notFound("Vault entry", name);
	return found;
}

/** Returns the kind of an entry without opening it; undefined if there is no such entry. */
export async function findKind(ctx: Ctx, name: string): Promise<VaultKind | undefined> {
	const [found] = await ctx.db
		.select({ kind: vaultEntries.kind })
		.from(vaultEntries)
		.where(and(eq(vaultEntries.organisationId, ctx.actor.organisation.id), eq(vaultEntries.name, name)));
	return found?.kind;
}

/**
 * Returns true if an actor may list the vault: it has one of its scopes, or is a signed-in person. Values of variables
 * additionally require `vault:read`.
 */
export const canReadVault = ({ actor }: Ctx): boolean =>
	actor.scopes.has("vault:read") || actor.scopes.has("vault:write") || isPerson(actor);

const isPerson = (actor: Ctx["actor"]): boolean => actor.type === "session" && actor.userId !== null;

/** @throws ApiError FORBIDDEN */
export function assertCanReadVault(ctx: Ctx): void {
	if (!canReadVault(ctx)) throw new ApiError("FORBIDDEN", "This API key lacks the scope vault:read");
}

/** Builds the wire form of an entry. Contains a variable's value if the key has `vault:read`, and never a secret's. */
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

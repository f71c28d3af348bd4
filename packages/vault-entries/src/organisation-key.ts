import { vaultDataKeys } from "@parley/db/agents/vault";
import type { Database } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { kekRing } from "@parley/vault/kek-ring";
import { createDataKey, type DataKey, unwrapDataKey, wrapDataKey } from "@parley/vault/keys";
import { eq } from "drizzle-orm";

/** Context to find or create an organisation's key. */
export type SealingContext = { db: Database; env: { VAULT_KEK: string }; clock: () => Date };

/**
 * The data key of an organisation, the one that seals its vault. The first time it is made: it stands before anything is
 * sealed with it, so of several first callers all get the same.
 * @throws VaultError when it cannot be unwrapped.
 */
export async function organisationKey(ctx: SealingContext, organisationId: string): Promise<DataKey> {
	const found = await findKey(ctx, organisationId);
	if (found) return found;
	const made = await createDataKey(newId());
	const wrapped = await wrapDataKey(await kekRing(ctx.env.VAULT_KEK), made, organisationId);
	const row = { organisationId, id: made.id, ...wrapped, createdAt: ctx.clock().toISOString() };
	await ctx.db.insert(vaultDataKeys).values(row).onConflictDoNothing();
	return organisationKey(ctx, organisationId);
}

async function findKey({ db, env }: SealingContext, organisationId: string): Promise<DataKey | undefined> {
	const [row] = await db.select().from(vaultDataKeys).where(eq(vaultDataKeys.organisationId, organisationId));
	return (
		row && unwrapDataKey(await kekRing(env.VAULT_KEK), row.wrappedKey, { organisationId, keyId: row.id })
	);
}

import { vaultDataKeys } from "@parley/db/agents/vault";
import type { Database } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { kekRing } from "@parley/vault/kek-ring";
import { createDataKey, type DataKey, rewrapDataKey, wrapDataKey } from "@parley/vault/keys";
import { unwrapRow } from "@parley/vault-entries/entries";
import { and, eq, ne } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Ctx } from "../context.ts";

/**
 * Returns the organisation's data key, or a new one with the statement that stores it. The statement belongs into the batch
 * that writes the sealed value. If another request stores the first key at the same time, that batch fails on a unique index.
 */
export async function dataKeyForSealing(
	ctx: Ctx,
): Promise<{ dataKey: DataKey; store: BatchItem<"sqlite">[] }> {
	const organisationId = ctx.actor.organisation.id;
	const [row] = await ctx.db
		.select()
		.from(vaultDataKeys)
		.where(eq(vaultDataKeys.organisationId, organisationId));
	if (row) return { dataKey: await unwrapRow(ctx, row), store: [] };
	const dataKey = await createDataKey(newId());
	const wrapped = await wrapDataKey(await kekRing(ctx.env.VAULT_KEK), dataKey, organisationId);
	const createdAt = ctx.clock().toISOString();
	return {
		dataKey,
		store: [ctx.db.insert(vaultDataKeys).values({ organisationId, id: dataKey.id, ...wrapped, createdAt })],
	};
}

type RewrapContext = { db: Database; env: Pick<Env, "VAULT_KEK">; clock: () => Date };

/**
 * Wraps every organisation's data key with the current key-encryption key, so that older ones can be removed from VAULT_KEK.
 * Sealed values do not change. Idempotent, and safe to run several times at once.
 * @returns the number of keys that were wrapped again.
 * @throws VaultError if a data key is wrapped with a key that VAULT_KEK does not contain. Keys before it are already done.
 */
export async function rewrapDataKeys({ db, env, clock }: RewrapContext): Promise<number> {
	const keys = await kekRing(env.VAULT_KEK);
	let changed = 0;
	for (;;) {
		const rows = await db
			.select()
			.from(vaultDataKeys)
			.where(ne(vaultDataKeys.kekId, keys.currentId))
			.limit(100);
		if (rows.length === 0) return changed;
		for (const row of rows) {
			const binding = { organisationId: row.organisationId, keyId: row.id };
			const { wrappedKey, kekId } = await rewrapDataKey(keys, row.wrappedKey, binding);
			await db
				.update(vaultDataKeys)
				.set({ wrappedKey, kekId, rewrappedAt: clock().toISOString() })
				.where(
					and(
						eq(vaultDataKeys.organisationId, row.organisationId),
						eq(vaultDataKeys.wrappedKey, row.wrappedKey),
					),
				);
			changed++;
		}
	}
}

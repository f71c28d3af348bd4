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
 * The key to seal with. The first time it is a new one, whose statement goes into the batch that writes what was sealed;
 * when another request makes the first key at the same time, that batch fails on its unique index.
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
 * Wraps every organisation's data key by the current key-encryption key, so that older ones can leave VAULT_KEK. Sealed
 * values stay as they are. It may be run at any time, again and beside itself.
 * @returns how many keys it changed.
 * @throws VaultError when a key is wrapped by a key that VAULT_KEK does not hold; those before it are done.
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

import { type WebhookSecretRow, webhookSecrets } from "@parley/db/batch/webhook-secrets";
import { isUniqueViolation } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { type EntryBinding, open, seal } from "@parley/vault/seal";
import { organisationKey, type SealingContext } from "@parley/vault-entries/organisation-key";
import { and, desc, eq, gt, isNull, lte, or } from "drizzle-orm";
import { createSecret } from "./signature.ts";

/** Secrets that sign at once, at most: each makes the signature's header longer. */
const MAX_SIGNING = 5;

type Identity = Pick<WebhookSecretRow, "organisationId" | "id" | "revision">;
type Owner = { organisationId: string; createdBy: string };

/** The secrets that sign, newest first; none before the first is made. */
export async function listSigningSecrets(
	{ db, clock }: SealingContext,
	organisationId: string,
): Promise<WebhookSecretRow[]> {
	const now = clock().toISOString();
	return db
		.select()
		.from(webhookSecrets)
		.where(
			and(
				eq(webhookSecrets.organisationId, organisationId),
				or(isNull(webhookSecrets.expiresAt), gt(webhookSecrets.expiresAt, now)),
			),
		)
		.orderBy(desc(webhookSecrets.revision));
}

/** The secrets that sign, in their written form, newest first. @throws VaultError */
export async function openSigningSecrets(ctx: SealingContext, organisationId: string): Promise<string[]> {
	const rows = await listSigningSecrets(ctx, organisationId);
	const key = await organisationKey(ctx, organisationId);
	return Promise.all(rows.map((row) => open(key, row.sealedSecret, bindingOf(row))));
}

/** Makes the organisation's first secret unless it has one. Several at once make one. */
export async function ensureSigningSecret(ctx: SealingContext, owner: Owner): Promise<void> {
	const rows = await listSigningSecrets(ctx, owner.organisationId);
	if (rows.length > 0) return;
	const { row } = await newSecret(ctx, owner, 1);
	await ctx.db.insert(webhookSecrets).values(row).onConflictDoNothing();
}

/**
 * Puts a new secret in the place of the newest, which with those before it signs on for `overlapMs` at most. Of several at
 * once each succeeds, one after the other.
 */
export async function rotateSigningSecret(
	ctx: SealingContext,
	owner: Owner,
	overlapMs: number,
): Promise<{ row: WebhookSecretRow; secret: string }> {
	const { db, clock } = ctx;
	const [newest] = await listSigningSecrets(ctx, owner.organisationId);
	const revision = (newest?.revision ?? 0) + 1;
	const { row, secret } = await newSecret(ctx, owner, revision);
	const now = clock();
	const until = new Date(now.getTime() + overlapMs).toISOString();
	const { organisationId, expiresAt } = webhookSecrets;
	const own = eq(organisationId, owner.organisationId);
	try {
		await db.batch([
			db
				.update(webhookSecrets)
				.set({ expiresAt: until })
				.where(and(own, or(isNull(expiresAt), gt(expiresAt, until)))),
			db
				.delete(webhookSecrets)
				.where(
					and(
						own,
						or(lte(expiresAt, now.toISOString()), lte(webhookSecrets.revision, revision - MAX_SIGNING)),
					),
				),
			db.insert(webhookSecrets).values(row),
		]);
	} catch (error) {
		if (isUniqueViolation(error)) return rotateSigningSecret(ctx, owner, overlapMs);
		throw error;
	}
	return { row, secret };
}

async function newSecret(ctx: SealingContext, { organisationId, createdBy }: Owner, revision: number) {
	const identity = { organisationId, id: newId(), revision };
	const secret = createSecret();
	const key = await organisationKey(ctx, organisationId);
	const row: WebhookSecretRow = {
		...identity,
		sealedSecret: await seal(key, secret, bindingOf(identity)),
		createdBy,
		createdAt: ctx.clock().toISOString(),
		expiresAt: null,
	};
	return { row, secret };
}

const bindingOf = ({ organisationId, id, revision }: Identity): EntryBinding => ({
	organisationId,
	entryId: id,
	name: "webhook-secret",
	kind: "secret",
	revision,
});

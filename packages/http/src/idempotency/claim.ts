import { leaseEnd } from "@parley/context/lease";
import type { Database } from "@parley/db/client";
import { idempotencyKeys } from "@parley/db/platform/idempotency-keys";
import { and, eq, lte, sql } from "drizzle-orm";

const KEPT_MS = 24 * 60 * 60 * 1000;

type Context = { db: Database; clock: () => Date };

/** One execution of one keyed request. */
export type Claim = { organisationId: string; id: string; fingerprint: string; owner: string };

export type ClaimOutcome =
	| { state: "claimed" }
	| { state: "in_progress" }
	| { state: "reused" }
	| { state: "answered"; answer: Uint8Array };

/** Takes the key for this execution, or tells what became of the first one. One batch. */
export async function claimKey(ctx: Context, claim: Claim): Promise<ClaimOutcome> {
	const now = ctx.clock();
	const values = {
		...claim,
		leaseUntil: leaseEnd(now),
		expiresAt: new Date(now.getTime() + KEPT_MS).toISOString(),
	};
	const expired = and(
		eq(idempotencyKeys.organisationId, claim.organisationId),
		lte(idempotencyKeys.expiresAt, now.toISOString()),
	);
	const [, , [row]] = await ctx.db.batch([
		ctx.db.delete(idempotencyKeys).where(expired),
		ctx.db
			.insert(idempotencyKeys)
			.values(values)
			.onConflictDoUpdate({
				target: [idempotencyKeys.organisationId, idempotencyKeys.id],
				set: { owner: claim.owner, leaseUntil: values.leaseUntil, expiresAt: values.expiresAt },
				// Null, the lease of an answered key, is never in the past.
				setWhere: sql`${idempotencyKeys.leaseUntil} <= ${now.toISOString()} and ${idempotencyKeys.fingerprint} = ${claim.fingerprint}`,
			}),
		ctx.db.select().from(idempotencyKeys).where(isRow(claim)),
	]);
	if (!row || row.fingerprint !== claim.fingerprint) return { state: "reused" };
	if (row.answer) return { state: "answered", answer: new Uint8Array(row.answer) };
	return { state: row.owner === claim.owner ? "claimed" : "in_progress" };
}

/** Keeps the lease of a long execution. */
export const renewLease = (ctx: Context, claim: Claim) =>
	ctx.db
		.update(idempotencyKeys)
		.set({ leaseUntil: leaseEnd(ctx.clock()) })
		.where(isOwn(claim));

export const keepAnswer = (ctx: Context, claim: Claim, answer: Uint8Array) =>
	ctx.db
		.update(idempotencyKeys)
		.set({ leaseUntil: null, answer: Buffer.from(answer) })
		.where(isOwn(claim));

/** Frees the key: what happened is not worth repeating to the caller. */
export const releaseKey = (ctx: Context, claim: Claim) => ctx.db.delete(idempotencyKeys).where(isOwn(claim));

const isRow = (claim: Claim) =>
	and(eq(idempotencyKeys.organisationId, claim.organisationId), eq(idempotencyKeys.id, claim.id));
const isOwn = (claim: Claim) => and(isRow(claim), eq(idempotencyKeys.owner, claim.owner));

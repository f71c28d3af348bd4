import type { RotateSecret, VaultEntry } from "@parley/contracts/agents/secrets";
import { ApiError } from "@parley/contracts/shared/api-error";
import { assertIfMatch } from "@parley/contracts/shared/etag";
import { agents } from "@parley/db/agents/agents";
import { vaultEntries, vaultRotationLocks } from "@parley/db/agents/vault";
import { failedAssertion } from "@parley/db/assertion";
import { newId } from "@parley/db/id";
import { seal } from "@parley/vault/seal";
import { bindingOf, type SealedEntry } from "@parley/vault-entries/entries";
import { and, eq, lt, or, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { assertUnchanged, auditSecret, changedMeanwhile, sameEntry } from "./secrets.service.ts";
import { readEntry, toVaultEntry } from "./vault-entry.ts";
import { agentsUsing } from "./vault-usage.ts";

/** Lifetime of an agent's lock. A rotation releases its locks when it ends; the lifetime covers a crashed rotation. */
const LOCK_MS = 30_000;
const MAX_ATTEMPTS = 8;

/**
 * Replaces the value of an entry. Locks the active inbound agents that use it in the batch that writes the value. Without
 * `expected_revision`, a rotation that lost to another one starts over, so that both succeed in order.
 * @throws ApiError RESOURCE_NOT_FOUND, REVISION_CONFLICT
 */
export async function rotateSecret(ctx: Ctx, name: string, body: RotateSecret): Promise<VaultEntry> {
	for (let attempt = 1; ; attempt++) {
		const found = await readEntry(ctx, name);
		await assertIfMatch(ctx, await toVaultEntry(ctx, found));
		if (body.expected_revision !== undefined && body.expected_revision !== found.entry.revision)
			throw new ApiError("REVISION_CONFLICT", `The vault entry is at revision ${found.entry.revision}`, {
				fields: [{ path: "expected_revision", message: `The revision is ${found.entry.revision}` }],
			});
		const rotationId = newId();
		try {
			const rotated = await writeValue(ctx, found, body.value, rotationId);
			const release = releaseLocks(ctx, rotationId).run();
			// The rotation is done. A lock that cannot be released now expires by itself.
			ctx.defer(release);
			await release.catch(() => undefined);
			return await toVaultEntry(ctx, rotated);
		} catch (error) {
			if (failedAssertion(error) !== "SECRET_CHANGED") throw error;
			if (attempt === MAX_ATTEMPTS) throw changedMeanwhile(ctx);
		}
	}
}

async function writeValue(
	ctx: Ctx,
	{ entry, dataKey }: SealedEntry,
	value: string,
	rotationId: string,
): Promise<SealedEntry> {
	const now = ctx.clock();
	const revision = entry.revision + 1;
	const changes = {
		sealedValue: await seal(dataKey, value, bindingOf({ ...entry, revision })),
		revision,
		lastRotatedBy: ctx.actor.id,
		lastRotatedAt: now.toISOString(),
		updatedAt: now.toISOString(),
	};
	const rotated = { ...entry, ...changes };
	await ctx.db.batch([
		assertUnchanged(ctx, entry),
		lockAgents(ctx, entry.name, rotationId, new Date(now.getTime() + LOCK_MS)),
		ctx.db.update(vaultEntries).set(changes).where(sameEntry(entry)),
		auditSecret(ctx, "secret.rotate", rotated),
	]);
	return { entry: rotated, dataKey };
}

const lockAgents = (ctx: Ctx, name: string, rotationId: string, expiresAt: Date) =>
	ctx.db.insert(vaultRotationLocks).select(sql`
		select ${agents.organisationId}, ${agents.id}, ${rotationId}, ${name}, ${expiresAt.toISOString()}
		from ${agents}
		where ${agents.organisationId} = ${ctx.actor.organisation.id} and ${agents.deletedAt} is null
			and ${agents.status} = 'active' and ${agents.inboundEnabled} = 1
			and ${agents.id} in (${agentsUsing(ctx, name)})`);

/** Releases the rotation's locks and deletes expired locks of the organisation. */
const releaseLocks = (ctx: Ctx, rotationId: string) =>
	ctx.db
		.delete(vaultRotationLocks)
		.where(
			and(
				eq(vaultRotationLocks.organisationId, ctx.actor.organisation.id),
				or(
					eq(vaultRotationLocks.rotationId, rotationId),
					lt(vaultRotationLocks.expiresAt, ctx.clock().toISOString()),
				),
			),
		);

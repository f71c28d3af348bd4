import type { CreateSecret, DescribeSecret, SecretQuery, VaultEntry } from "@parley/contracts/agents/secrets";
import { ApiError } from "@parley/contracts/shared/api-error";
import { assertIfMatch, preconditionFailed } from "@parley/contracts/shared/etag";
import { vaultEntries } from "@parley/db/agents/vault";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { isUniqueViolation } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { seal } from "@parley/vault/seal";
import {
	bindingOf,
	type EntryRow,
	hasNameOf,
	readEntries,
	type SealedEntry,
} from "@parley/vault-entries/entries";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { auditEntry } from "../audit-log/audit.ts";
import type { Ctx } from "../context.ts";
import { dataKeyForSealing } from "./data-keys.ts";
import { assertCanReadVault, readEntry, toVaultEntry } from "./vault-entry.ts";
import { isInUse, listReferences } from "./vault-usage.ts";

/** @throws ApiError FORBIDDEN */
export async function listSecrets(ctx: Ctx, { name }: SecretQuery): Promise<VaultEntry[]> {
	assertCanReadVault(ctx);
	const entries = await readEntries(ctx, name && hasNameOf(name));
	return Promise.all(entries.map((entry) => toVaultEntry(ctx, entry)));
}

/** @throws ApiError FORBIDDEN, RESOURCE_NOT_FOUND */
export async function getSecret(ctx: Ctx, name: string): Promise<VaultEntry> {
	assertCanReadVault(ctx);
	return toVaultEntry(ctx, await readEntry(ctx, name));
}

/** @throws ApiError SECRET_NAME_CONFLICT */
export async function createSecret(ctx: Ctx, body: CreateSecret): Promise<VaultEntry> {
	const { dataKey, store } = await dataKeyForSealing(ctx);
	const now = ctx.clock().toISOString();
	const identity = {
		...{ organisationId: ctx.actor.organisation.id, id: newId() },
		...{ name: body.name, kind: body.kind, revision: 1 },
	};
	const entry: EntryRow = {
		...identity,
		description: body.description,
		sealedValue: await seal(dataKey, body.value, bindingOf(identity)),
		isManaged: false,
		...{ createdBy: ctx.actor.id, lastRotatedBy: ctx.actor.id },
		...{ lastRotatedAt: now, createdAt: now, updatedAt: now },
	};
	try {
		await ctx.db.batch([
			ctx.db.insert(vaultEntries).values(entry),
			...store,
			auditSecret(ctx, "secret.create", entry, { kind: entry.kind }),
		]);
	} catch (error) {
		if (!isUniqueViolation(error)) throw error;
		// Another request stored the organisation's first data key: start over and seal with that one.
		if (store.length > 0) return createSecret(ctx, body);
		throw new ApiError("SECRET_NAME_CONFLICT", "Another vault entry has this name", {
			fields: [{ path: "name", message: "Another vault entry has this name" }],
		});
	}
	return toVaultEntry(ctx, { entry, dataKey });
}

/** Changes the description only. Value and revision do not change. @throws ApiError RESOURCE_NOT_FOUND, REVISION_CONFLICT */
export async function describeSecret(
	ctx: Ctx,
	name: string,
	{ description }: DescribeSecret,
): Promise<VaultEntry> {
	const found = await readEntry(ctx, name);
	await assertIfMatch(ctx, await toVaultEntry(ctx, found));
	const updatedAt = ctx.clock().toISOString();
	await writeEntry(ctx, found, [
		ctx.db.update(vaultEntries).set({ description, updatedAt }).where(sameEntry(found.entry)),
		auditSecret(ctx, "secret.describe", found.entry),
	]);
	return toVaultEntry(ctx, { ...found, entry: { ...found.entry, description, updatedAt } });
}

/** @throws ApiError RESOURCE_NOT_FOUND, FORBIDDEN, SECRET_IN_USE, REVISION_CONFLICT */
export async function deleteSecret(ctx: Ctx, name: string): Promise<void> {
	const found = await readEntry(ctx, name);
	if (found.entry.isManaged)
		throw new ApiError("FORBIDDEN", "The service manages this vault entry: it cannot be deleted");
	await assertIfMatch(ctx, await toVaultEntry(ctx, found));
	await writeEntry(ctx, found, [
		assertThat(ctx.db, sql`not ${isInUse(ctx, name)}`, "SECRET_IN_USE"),
		ctx.db.delete(vaultEntries).where(sameEntry(found.entry)),
		auditSecret(ctx, "secret.delete", found.entry),
	]);
}

type Statement = Parameters<Ctx["db"]["batch"]>[0][number];

async function writeEntry(ctx: Ctx, { entry }: SealedEntry, statements: Statement[]): Promise<void> {
	try {
		await ctx.db.batch([assertUnchanged(ctx, entry), ...statements]);
	} catch (error) {
		switch (failedAssertion(error)) {
			case "SECRET_CHANGED":
				throw changedMeanwhile(ctx);
			case "SECRET_IN_USE":
				throw await inUseError(ctx, entry.name);
		}
		throw error;
	}
}

/** Fails the batch if the entry has changed since it was read. */
export const assertUnchanged = (ctx: Ctx, entry: EntryRow): Statement =>
	assertThat(
		ctx.db,
		sql`exists (select 1 from ${vaultEntries} where ${sameEntry(entry)}
			and ${vaultEntries.revision} = ${entry.revision} and ${vaultEntries.updatedAt} = ${entry.updatedAt})`,
		"SECRET_CHANGED",
	);

export const sameEntry = ({ organisationId, id }: EntryRow): SQL | undefined =>
	and(eq(vaultEntries.organisationId, organisationId), eq(vaultEntries.id, id));

/** Returns the error for a write that another write has overtaken. */
export const changedMeanwhile = (ctx: Ctx): ApiError =>
	ctx.ifMatch === undefined
		? new ApiError(
				"REVISION_CONFLICT",
				"Another request changed the vault entry at the same time; read it again",
			)
		: preconditionFailed();

export const auditSecret = (
	ctx: Ctx,
	action: `secret.${string}`,
	{ id, name, revision }: EntryRow,
	details: Record<string, unknown> = {},
): Statement =>
	auditEntry(ctx, {
		...{ action, resourceType: "secret", resourceId: id, resourceName: name },
		details: { revision, ...details },
	});

async function inUseError(ctx: Ctx, name: string): Promise<ApiError> {
	const references = await listReferences(ctx, name);
	return new ApiError("SECRET_IN_USE", "The vault entry is in use", {
		blockers: references
			.filter((reference) => reference.blocks_delete)
			.map(({ resource_type, resource_id, resource_name, location }) => ({
				...{ resource_type, resource_id, resource_name, location },
			})),
	});
}

import { createKey as createKeyText, hashKey, keyDisplay } from "@parley/auth/api-key";
import { forgetKey } from "@parley/auth/authenticate-key";
import type { CreatedKey, CreateKey, Key, KeysQuery } from "@parley/contracts/platform/keys";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import type { ArrayPage } from "@parley/contracts/shared/common";
import { DEFAULT_SCOPES, type Scope } from "@parley/contracts/shared/scopes";
import { auditLog } from "@parley/db/agents/audit-log";
import { countMatching } from "@parley/db/count-matching";
import { newId } from "@parley/db/id";
import { apiKeys } from "@parley/db/platform/api-keys";
import { and, asc, eq, isNull } from "drizzle-orm";
import type { Ctx } from "../context.ts";

type KeyRow = typeof apiKeys.$inferSelect;

/** @throws ApiError FORBIDDEN for a scope that the maker lacks; VALIDATION_FAILED for an expiry that has passed. */
export async function createKey(ctx: Ctx, input: CreateKey): Promise<CreatedKey> {
	const scopes = grantableScopes(ctx, input.scopes ?? DEFAULT_SCOPES);
	const key = createKeyText(input.family);
	const row: KeyRow = {
		id: newId(),
		organisationId: ctx.actor.organisation.id,
		family: input.family,
		label: input.label,
		hash: await hashKey(key),
		...keyDisplay(key),
		scopes,
		...{ agentId: null, agentVersion: null },
		createdBy: ctx.actor.id,
		createdAt: ctx.clock().toISOString(),
		expiresAt: readExpiry(ctx, input.expires_at),
		lastUsedAt: null,
		deletedAt: null,
	};
	await ctx.db.batch([ctx.db.insert(apiKeys).values(row), auditKey(ctx, "create", row)]);
	return { ...toKey(row), key };
}

export async function listKeys(ctx: Ctx, query: KeysQuery): Promise<ArrayPage<Key>> {
	const isLive = and(eq(apiKeys.organisationId, ctx.actor.organisation.id), isNull(apiKeys.deletedAt));
	const [rows, [counted]] = await ctx.db.batch([
		ctx.db
			.select()
			.from(apiKeys)
			.where(isLive)
			.orderBy(asc(apiKeys.label), asc(apiKeys.id))
			.limit(query.limit)
			.offset(query.offset),
		countMatching(ctx.db, apiKeys, isLive),
	]);
	return { items: rows.map(toKey), total: counted?.total ?? 0 };
}

/** @throws ApiError RESOURCE_NOT_FOUND */
export const getKey = async (ctx: Ctx, keyId: string): Promise<Key> => toKey(await readKey(ctx, keyId));

/** Revokes a key. @throws ApiError RESOURCE_NOT_FOUND */
export async function deleteKey(ctx: Ctx, keyId: string): Promise<void> {
	const row = await readKey(ctx, keyId);
	await ctx.db.batch([
		ctx.db.update(apiKeys).set({ deletedAt: ctx.clock().toISOString() }).where(isLiveKey(ctx, keyId)),
		auditKey(ctx, "delete", row),
	]);
	forgetKey(row.hash);
}

async function readKey(ctx: Ctx, keyId: string): Promise<KeyRow> {
	const [row] = await ctx.db.select().from(apiKeys).where(isLiveKey(ctx, keyId));
	if (!row) throw notFound("API key", keyId);
	return row;
}

const isLiveKey = ({ actor }: Ctx, keyId: string) =>
	and(eq(apiKeys.organisationId, actor.organisation.id), eq(apiKeys.id, keyId), isNull(apiKeys.deletedAt));

function grantableScopes({ actor }: Ctx, scopes: readonly Scope[]): Scope[] {
	const missing = scopes.find((scope) => !actor.scopes.has(scope));
	if (missing) throw new ApiError("FORBIDDEN", `This API key lacks the scope ${missing} and cannot give it`);
	return [...new Set(scopes)];
}

function readExpiry(ctx: Ctx, expiresAt: string | null | undefined): string | null {
	if (expiresAt === null || expiresAt === undefined) return null;
	const date = new Date(expiresAt);
	if (date > ctx.clock()) return date.toISOString();
	const fields = [{ path: "expires_at", message: "Must be in the future" }];
	throw new ApiError("VALIDATION_FAILED", "expires_at: Must be in the future", { fields });
}

const auditKey = (ctx: Ctx, verb: "create" | "delete", row: KeyRow) =>
	ctx.db.insert(auditLog).values({
		id: newId(),
		organisationId: row.organisationId,
		actor: ctx.actor.id,
		action: `api_key.${verb}`,
		resourceType: "api_key",
		resourceId: row.id,
		resourceName: row.label,
		details: { family: row.family, scopes: row.scopes, expires_at: row.expiresAt },
		requestId: ctx.requestId,
		createdAt: ctx.clock().toISOString(),
	});

const toKey = (row: KeyRow): Key => ({
	id: row.id,
	organisation_id: row.organisationId,
	label: row.label,
	family: row.family,
	prefix: row.prefix,
	last_four: row.lastFour,
	scopes: row.scopes as Scope[],
	created_by: row.createdBy,
	created_at: row.createdAt,
	expires_at: row.expiresAt,
	last_used_at: row.lastUsedAt,
});

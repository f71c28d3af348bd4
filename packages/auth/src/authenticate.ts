import { ApiError } from "@parley/contracts/api-error";
import type { Scope } from "@parley/contracts/scopes";
import { apiKeys } from "@parley/db/api-keys";
import type { Database } from "@parley/db/client";
import { organisations } from "@parley/db/organisations";
import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Actor } from "./actor.ts";
import { hashKey, type KeyFamily, keyFamily } from "./api-key.ts";
import { KeyCache } from "./key-cache.ts";

/** Revocation and expiry bind within 10 seconds everywhere; a cached actor lives for less, to leave room for the read itself. */
const ACTOR_TTL_MS = 8_000;
const LAST_USED_EVERY_MS = 60_000;

type CachedActor = { actor: Actor; lastUsedAt: string | null };

export type AuthContext = {
	db: Database;
	clock: () => Date;
	defer: (work: Promise<unknown>) => void;
	/** Legacy keys count while this date is in the future; empty or absent: never. */
	legacyKeysUntil?: string | undefined;
	/** Called before storage is asked for a key that is well formed but not known here; may refuse by throwing. */
	beforeLookup?: () => void;
	/** One cache an isolate; tests pass their own. */
	cache?: KeyCache<CachedActor>;
};

const isolateCache = new KeyCache<CachedActor>(10_000, ACTOR_TTL_MS);

/**
 * The actor behind an API key. The checksum is checked first and touches no storage; a key seen within the last
 * seconds costs none either; any other costs one read by hash.
 * @throws ApiError AUTH_REQUIRED when the key is malformed, unknown, revoked or expired.
 */
export async function authenticate(ctx: AuthContext, key: string): Promise<Actor> {
	const family = keyFamily(key);
	if (family === undefined || !isAccepted(ctx, family)) throw invalidKey();
	const now = ctx.clock();
	const hash = await hashKey(key);
	const cache = ctx.cache ?? isolateCache;
	let entry = cache.get(hash, now.getTime());
	if (!entry) {
		ctx.beforeLookup?.();
		entry = await readActor(ctx.db, hash);
		if (!entry) throw invalidKey();
		cache.set(hash, entry, now.getTime());
		recordUse(ctx, entry, now);
	}
	if (entry.actor.expiresAt !== null && Date.parse(entry.actor.expiresAt) <= now.getTime())
		throw invalidKey();
	return entry.actor;
}

/** Drops what this isolate knows of a key, so that a revocation binds here at once. */
export const forgetKey = (hash: string): void => isolateCache.delete(hash);

/** @throws ApiError FORBIDDEN naming the scope that the actor lacks. */
export function requireScope(actor: Actor, scope: Scope): void {
	if (!actor.scopes.has(scope)) throw new ApiError("FORBIDDEN", `This API key lacks the scope ${scope}`);
}

const invalidKey = () => new ApiError("AUTH_REQUIRED", "Invalid API key");

const isAccepted = (ctx: AuthContext, family: KeyFamily): boolean =>
	family !== "legacy" || Date.parse(ctx.legacyKeysUntil ?? "") > ctx.clock().getTime();

async function readActor(db: Database, hash: string): Promise<CachedActor | undefined> {
	const [row] = await db
		.select({ key: apiKeys, organisation: organisations })
		.from(apiKeys)
		.innerJoin(organisations, eq(organisations.id, apiKeys.organisationId))
		.where(and(eq(apiKeys.hash, hash), isNull(apiKeys.deletedAt)));
	if (!row) return undefined;
	const { key, organisation } = row;
	return {
		lastUsedAt: key.lastUsedAt,
		actor: {
			id: `api_key:${key.id}`,
			keyId: key.id,
			family: key.family,
			label: key.label,
			scopes: new Set(key.scopes as Scope[]),
			expiresAt: key.expiresAt,
			organisation: {
				id: organisation.id,
				name: organisation.name,
				tier: organisation.tier,
				features: organisation.features,
			},
		},
	};
}

function recordUse(ctx: AuthContext, entry: CachedActor, now: Date): void {
	const before = new Date(now.getTime() - LAST_USED_EVERY_MS).toISOString();
	if (entry.lastUsedAt !== null && entry.lastUsedAt > before) return;
	ctx.defer(
		ctx.db
			.update(apiKeys)
			.set({ lastUsedAt: now.toISOString() })
			.where(
				and(
					eq(apiKeys.organisationId, entry.actor.organisation.id),
					eq(apiKeys.id, entry.actor.keyId),
					or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, before)),
				),
			)
			.run(),
	);
}

import type { AgentKeyActor, ApiKeyActor } from "@parley/context/actor";
import { ApiError } from "@parley/contracts/shared/api-error";
import { AGENT_KEY_SCOPES, type Scope } from "@parley/contracts/shared/scopes";
import type { Database } from "@parley/db/client";
import { apiKeys } from "@parley/db/platform/api-keys";
import { organisations } from "@parley/db/platform/organisations";
import { and, eq, isNull, lt, or } from "drizzle-orm";
import { hashKey, type KeyFamily, keyFamily } from "./api-key.ts";
import { KeyCache } from "./key-cache.ts";

/** Revocation and expiry take effect within 10 seconds everywhere. A cached actor lives for less, to leave room for the read. */
const ACTOR_TTL_MS = 8_000;
const LAST_USED_EVERY_MS = 60_000;

type KeyActor = ApiKeyActor | AgentKeyActor;
type CachedActor = { actor: KeyActor; lastUsedAt: string | null };

export type AuthContext = {
	db: Database;
	clock: () => Date;
	defer: (work: Promise<unknown>) => void;
	/** Date until which legacy keys are accepted; empty or absent: never. */
	legacyKeysUntil?: string | undefined;
	/** Called before a key that is not cached here is read from storage. It may throw to prevent the read. */
	beforeLookup?: () => void;
	/** One cache per isolate; tests pass their own. */
	cache?: KeyCache<CachedActor>;
};

const isolateCache = new KeyCache<CachedActor>(10_000, ACTOR_TTL_MS);

/**
 * Returns the actor behind an API key. A wrong checksum and a key seen within the last seconds touch no storage. Any other
 * key costs one read by hash.
 * @throws ApiError AUTH_REQUIRED when the key is malformed, unknown, revoked or expired.
 */
export async function authenticateKey(ctx: AuthContext, key: string): Promise<KeyActor> {
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
	const { expiresAt } = entry.actor;
	if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime())
		throw new ApiError("AUTH_REQUIRED", `This API key expired on ${expiresAt}. Create a new one.`);
	return entry.actor;
}

/** Drops a key from this isolate's cache, so that a revocation takes effect here at once. */
export const forgetKey = (hash: string): void => isolateCache.delete(hash);

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
	const holder = {
		id: `api_key:${key.id}`,
		keyId: key.id,
		label: key.label,
		expiresAt: key.expiresAt,
		organisation: {
			id: organisation.id,
			name: organisation.name,
			tier: organisation.tier,
			features: organisation.features,
		},
	};
	const actor = toActor(key, holder);
	return actor && { lastUsedAt: key.lastUsedAt, actor };
}

type KeyRow = typeof apiKeys.$inferSelect;
type Holder = Omit<ApiKeyActor, "type" | "family" | "scopes">;

/** An agent key has its one scope whatever its row says, and is no key at all without an agent. */
function toActor({ family, agentId, agentVersion, scopes }: KeyRow, holder: Holder): KeyActor | undefined {
	if (family !== "agent") return { type: "api_key", ...holder, family, scopes: new Set(scopes as Scope[]) };
	return agentId === null
		? undefined
		: { type: "agent_key", ...holder, agentId, agentVersion, scopes: new Set(AGENT_KEY_SCOPES) };
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

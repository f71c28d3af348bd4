import type { SessionActor } from "@parley/context/actor";
import { ApiError } from "@parley/contracts/shared/api-error";
import { type Role, SCOPES_OF_ROLE } from "@parley/contracts/shared/roles";
import type { Scope } from "@parley/contracts/shared/scopes";
import type { Database } from "@parley/db/client";
import { apiKeys } from "@parley/db/platform/api-keys";
import { organisations } from "@parley/db/platform/organisations";
import { sessions } from "@parley/db/platform/sessions";
import { users } from "@parley/db/platform/users";
import { and, eq, isNull, lt } from "drizzle-orm";
import { hashKey } from "./api-key.ts";
import type { AuthContext } from "./authenticate-key.ts";
import { KeyCache } from "./key-cache.ts";

/** Time after which an unused session ends. */
export const SESSION_IDLE_MS = 12 * 60 * 60 * 1000;
/** A revocation takes effect within 10 seconds everywhere. A cached actor lives for less, to leave room for the read. */
const ACTOR_TTL_MS = 8_000;
const RECORD_USE_EVERY_MS = 60_000;

type CachedSession = { actor: SessionActor; lastUsedAt: string; endsAt: string };
type Context = Pick<AuthContext, "db" | "clock" | "defer" | "beforeLookup">;

const isolateCache = new KeyCache<CachedSession>(10_000, ACTOR_TTL_MS);

/**
 * Returns the person, or the API key, that is signed in under a session token. A use moves the session's end.
 * @throws ApiError SESSION_EXPIRED when the session is unknown or over, or its person or API key is gone.
 */
export async function authenticateSession(ctx: Context, token: string): Promise<SessionActor> {
	if (token === "") throw sessionExpired();
	const now = ctx.clock();
	const hash = await hashKey(token);
	let entry = isolateCache.get(hash, now.getTime());
	if (!entry) {
		ctx.beforeLookup?.();
		entry = await readSession(ctx.db, hash);
		if (!entry) throw sessionExpired();
		isolateCache.set(hash, entry, now.getTime());
	}
	if (Date.parse(entry.actor.expiresAt) <= now.getTime()) throw sessionExpired();
	recordUse(ctx, entry, now);
	return entry.actor;
}

/** Drops a session from this isolate's cache, so that its end takes effect here at once. */
export const forgetSession = (hash: string): void => isolateCache.delete(hash);

/** Time at which a session that is used now ends, unless it is used again. */
export const sessionExpiry = (now: Date, endsAt: string): string => {
	const idle = new Date(now.getTime() + SESSION_IDLE_MS).toISOString();
	return idle < endsAt ? idle : endsAt;
};

const sessionExpired = () => new ApiError("SESSION_EXPIRED", "Your session has expired. Sign in again.");

async function readSession(db: Database, hash: string): Promise<CachedSession | undefined> {
	const [row] = await db
		.select({ session: sessions, organisation: organisations, user: users, key: apiKeys })
		.from(sessions)
		.innerJoin(organisations, eq(organisations.id, sessions.organisationId))
		.leftJoin(users, and(eq(users.id, sessions.userId), eq(users.organisationId, sessions.organisationId)))
		.leftJoin(
			apiKeys,
			and(eq(apiKeys.id, sessions.apiKeyId), eq(apiKeys.organisationId, sessions.organisationId)),
		)
		.where(and(eq(sessions.hash, hash), isNull(sessions.endedAt)));
	if (!row) return undefined;
	const { session, organisation } = row;
	const key = isLive(row.key) ? row.key : null;
	const user = isLive(row.user) ? row.user : null;
	if (session.apiKeyId !== null && key === null) return undefined;
	const holder = session.userId === null ? key && ofKey(key) : user && ofUser(user);
	if (!holder) return undefined;
	// A key that expires ends its session then.
	const expiresAt = key?.expiresAt && key.expiresAt < session.expiresAt ? key.expiresAt : session.expiresAt;
	return {
		lastUsedAt: session.lastUsedAt,
		endsAt: session.endsAt,
		actor: {
			type: "session",
			...holder,
			sessionId: session.id,
			keyId: session.apiKeyId,
			expiresAt,
			organisation: {
				id: organisation.id,
				name: organisation.name,
				tier: organisation.tier,
				features: organisation.features,
			},
		},
	};
}

const isLive = (row: { deletedAt: string | null } | null): boolean => row !== null && row.deletedAt === null;

const ofUser = (user: typeof users.$inferSelect) => ({
	id: `user:${user.id}`,
	userId: user.id,
	role: user.role as Role,
	label: user.name ?? user.email ?? "Owner",
	scopes: new Set<Scope>(SCOPES_OF_ROLE[user.role]),
});

const ofKey = (key: typeof apiKeys.$inferSelect) => ({
	id: `api_key:${key.id}`,
	userId: null,
	role: null,
	label: key.label,
	scopes: new Set(key.scopes as Scope[]),
});

function recordUse(ctx: Context, entry: CachedSession, now: Date): void {
	const before = new Date(now.getTime() - RECORD_USE_EVERY_MS).toISOString();
	if (entry.lastUsedAt > before) return;
	entry.lastUsedAt = now.toISOString();
	ctx.defer(
		ctx.db
			.update(sessions)
			.set({ lastUsedAt: now.toISOString(), expiresAt: sessionExpiry(now, entry.endsAt) })
			.where(
				and(
					eq(sessions.organisationId, entry.actor.organisation.id),
					eq(sessions.id, entry.actor.sessionId),
					isNull(sessions.endedAt),
					lt(sessions.lastUsedAt, before),
				),
			)
			.run(),
	);
}

import { hashKey } from "@parley/auth/api-key";
import { authenticateKey } from "@parley/auth/authenticate-key";
import { forgetSession } from "@parley/auth/authenticate-session";
import { createSessionToken } from "@parley/auth/session-cookie";
import type { ApiKeyActor } from "@parley/context/actor";
import type { ConsoleSession, SessionEntry, SignIn, SignInCode } from "@parley/contracts/platform/console";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { FOUNDING_SCOPES, SCOPES_OF_ROLE } from "@parley/contracts/shared/roles";
import type { Scope } from "@parley/contracts/shared/scopes";
import { apiKeys } from "@parley/db/platform/api-keys";
import { DEFAULT_FEATURES, organisations } from "@parley/db/platform/organisations";
import { type SessionRow, sessions, signInCodes } from "@parley/db/platform/sessions";
import { users } from "@parley/db/platform/users";
import { and, desc, eq, gt, isNull, lt, ne, or } from "drizzle-orm";
import type { Ctx, OpenCtx } from "../context.ts";
import { endSessions } from "./end-sessions.ts";
import { createFirstOwner } from "./first-owner.ts";
import { type Browser, openSession } from "./open-session.ts";
import { limitFailures } from "./sign-in-limit.ts";

const CODE_LIFE_MS = 60_000;

type OpenedSession = { token: string; session: ConsoleSession };

/**
 * Opens a session with an API key or a one-time code. The first key with broad scopes makes its holder the organisation's
 * owner. Any later key acts for itself, with its own scopes.
 * @param address address of the caller, whose failures are counted
 * @throws ApiError AUTH_REQUIRED, FORBIDDEN for a batch key, RATE_LIMITED after ten failures within a minute
 */
export function signIn(
	ctx: OpenCtx,
	input: SignIn,
	browser: Browser & { address: string },
): Promise<OpenedSession> {
	return limitFailures(browser.address, ctx.clock, async () => {
		const { keyId, organisationId, mayFound } = await ("key" in input
			? presentKey(ctx, input.key)
			: redeemCode(ctx, input.code));
		if (mayFound)
			await createFirstOwner(ctx.db, {
				...{ organisationId, apiKeyId: keyId, createdBy: `api_key:${keyId}`, now: ctx.clock() },
			});
		const [owner] = await ctx.db
			.select({ id: users.id })
			.from(users)
			.where(
				and(eq(users.organisationId, organisationId), eq(users.apiKeyId, keyId), isNull(users.deletedAt)),
			);
		const door = "key" in input ? "key" : "code";
		const arrival = { organisationId, userId: owner?.id ?? null, apiKeyId: keyId, door } as const;
		const opened = await openSession(ctx, arrival, browser);
		return { token: opened.token, session: await describeSession(ctx, opened.session) };
	});
}

type Presented = { keyId: string; organisationId: string; mayFound: boolean };

async function presentKey(ctx: OpenCtx, key: string): Promise<Presented> {
	const legacyKeysUntil = ctx.env.LEGACY_KEYS_UNTIL;
	const actor = await authenticateKey({ ...ctx, legacyKeysUntil }, key.trim());
	if (actor.type === "agent_key") throw new ApiError("FORBIDDEN", "Agent keys cannot sign in to the console");
	if (actor.family === "batch") throw new ApiError("FORBIDDEN", "Batch keys cannot sign in to the console");
	return {
		keyId: actor.keyId,
		organisationId: actor.organisation.id,
		mayFound: FOUNDING_SCOPES.every((scope) => actor.scopes.has(scope)),
	};
}

/** Uses up a code: of two that arrive at once, one deletes it. */
async function redeemCode(ctx: OpenCtx, code: string): Promise<Presented> {
	const now = ctx.clock().toISOString();
	const [redeemed] = await ctx.db
		.delete(signInCodes)
		.where(and(eq(signInCodes.hash, await hashKey(code)), gt(signInCodes.expiresAt, now)))
		.returning();
	const [key] = redeemed
		? await ctx.db
				.select()
				.from(apiKeys)
				.where(
					and(
						eq(apiKeys.organisationId, redeemed.organisationId),
						eq(apiKeys.id, redeemed.apiKeyId),
						isNull(apiKeys.deletedAt),
						or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
					),
				)
		: [];
	if (!key)
		throw new ApiError("AUTH_REQUIRED", "This code was used already or has expired. Ask for another.");
	const mayFound = FOUNDING_SCOPES.every((scope) => key.scopes.includes(scope));
	return { keyId: key.id, organisationId: key.organisationId, mayFound };
}

/**
 * Makes a code that opens one session, as the caller's API key would.
 * @param origin origin of the console
 * @throws ApiError FORBIDDEN for a caller without a consumer key
 */
export async function createSignInCode(ctx: Ctx, origin: string): Promise<SignInCode> {
	const { actor } = ctx;
	if (!isConsumerKey(actor)) throw new ApiError("FORBIDDEN", "Only a consumer key can make a sign-in code");
	const code = createSessionToken();
	const now = ctx.clock();
	const expiresAt = new Date(now.getTime() + CODE_LIFE_MS).toISOString();
	const organisationId = actor.organisation.id;
	await ctx.db.batch([
		ctx.db
			.delete(signInCodes)
			.where(
				and(eq(signInCodes.organisationId, organisationId), lt(signInCodes.expiresAt, now.toISOString())),
			),
		ctx.db
			.insert(signInCodes)
			.values({ hash: await hashKey(code), organisationId, apiKeyId: actor.keyId, expiresAt }),
	]);
	return { code, url: `${origin}/sign-in#code=${code}`, expires_at: expiresAt };
}

const isConsumerKey = (actor: Ctx["actor"]): actor is ApiKeyActor =>
	actor.type === "api_key" && actor.family !== "batch";

/** Returns who is signed in. @throws ApiError RESOURCE_NOT_FOUND when the session or the organisation has just gone. */
export async function getSession(ctx: Ctx): Promise<ConsoleSession> {
	const { actor } = ctx;
	if (actor.type === "session") {
		const [row] = await ctx.db.select().from(sessions).where(isSession(ctx, actor.sessionId));
		if (!row) throw notFound("Session", actor.sessionId);
		return describeSession(ctx, row);
	}
	return {
		actor: actor.id,
		user: null,
		role: null,
		scopes: [...actor.scopes],
		organisation: {
			...{ id: actor.organisation.id, name: actor.organisation.name, tier: actor.organisation.tier },
			features: { ...DEFAULT_FEATURES, ...actor.organisation.features },
		},
		session: null,
	};
}

/** Returns the caller's sessions that are open, the latest first. */
export async function listSessions(ctx: Ctx): Promise<SessionEntry[]> {
	const rows = await ctx.db
		.select()
		.from(sessions)
		.where(and(isOwn(ctx), isNull(sessions.endedAt), gt(sessions.expiresAt, ctx.clock().toISOString())))
		.orderBy(desc(sessions.createdAt))
		.limit(200);
	const current = ctx.actor.type === "session" ? ctx.actor.sessionId : undefined;
	return rows.map((row) => toSessionEntry(row, current));
}

/** Returns a session as the API lists it. @param current id of the session of the request */
export const toSessionEntry = (row: SessionRow, current: string | undefined): SessionEntry => ({
	...toSession(row),
	user_agent: row.userAgent,
	last_used_at: row.lastUsedAt,
	current: row.id === current,
});

/** Ends one of the caller's sessions. @throws ApiError RESOURCE_NOT_FOUND */
export async function endSession(ctx: Ctx, sessionId: string): Promise<void> {
	const [ended] = await endSessions(ctx, and(isSession(ctx, sessionId), isOwn(ctx)));
	if (!ended) throw notFound("Session", sessionId);
}

/** Ends the caller's sessions, but not the one of the request. */
export async function endOtherSessions(ctx: Ctx): Promise<void> {
	const current = ctx.actor.type === "session" ? ctx.actor.sessionId : "";
	await endSessions(ctx, and(isOwn(ctx), ne(sessions.id, current)));
}

/** Ends the session of a browser, if it has one. */
export async function signOut(ctx: Pick<OpenCtx, "db" | "clock">, token: string | undefined): Promise<void> {
	if (!token) return;
	const hash = await hashKey(token);
	await ctx.db
		.update(sessions)
		.set({ endedAt: ctx.clock().toISOString() })
		.where(and(eq(sessions.hash, hash), isNull(sessions.endedAt)));
	forgetSession(hash);
}

const isSession = ({ actor }: Ctx, sessionId: string) =>
	and(eq(sessions.organisationId, actor.organisation.id), eq(sessions.id, sessionId));

/** Sessions of the same person, or of the same API key where no person is behind it. */
function isOwn({ actor }: Ctx) {
	const mine = and(eq(sessions.organisationId, actor.organisation.id));
	if (actor.type === "session" && actor.userId !== null) return and(mine, eq(sessions.userId, actor.userId));
	const keyId = actor.type === "session" || actor.type === "api_key" ? actor.keyId : null;
	return and(mine, isNull(sessions.userId), eq(sessions.apiKeyId, keyId ?? ""));
}

const toSession = (row: SessionRow) => ({
	id: row.id,
	door: row.door,
	created_at: row.createdAt,
	expires_at: row.expiresAt,
});

async function describeSession({ db }: Pick<OpenCtx, "db">, row: SessionRow): Promise<ConsoleSession> {
	const [found] = await db
		.select({ organisation: organisations, user: users, key: apiKeys })
		.from(organisations)
		.leftJoin(users, and(eq(users.organisationId, row.organisationId), eq(users.id, row.userId ?? "")))
		.leftJoin(
			apiKeys,
			and(eq(apiKeys.organisationId, row.organisationId), eq(apiKeys.id, row.apiKeyId ?? "")),
		)
		.where(eq(organisations.id, row.organisationId));
	if (!found) throw notFound("Organisation", row.organisationId);
	const { organisation, user, key } = found;
	return {
		actor: user ? `user:${user.id}` : `api_key:${row.apiKeyId}`,
		user: user && { id: user.id, name: user.name, email: user.email },
		role: user?.role ?? null,
		scopes: user ? [...SCOPES_OF_ROLE[user.role]] : ((key?.scopes ?? []) as Scope[]),
		organisation: {
			...{ id: organisation.id, name: organisation.name, tier: organisation.tier },
			features: { ...DEFAULT_FEATURES, ...organisation.features },
		},
		session: toSession(row),
	};
}

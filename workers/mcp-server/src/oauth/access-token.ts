import type { Authenticator } from "@parley/auth/authenticator";
import { bearerKey } from "@parley/auth/credentials";
import { KeyCache } from "@parley/auth/key-cache";
import { sha256Hex } from "@parley/bytes/sha256";
import type { UserActor } from "@parley/context/actor";
import { ApiError } from "@parley/contracts/shared/api-error";
import { SCOPES_OF_ROLE } from "@parley/contracts/shared/roles";
import type { Scope } from "@parley/contracts/shared/scopes";
import type { Database } from "@parley/db/client";
import { organisations } from "@parley/db/platform/organisations";
import { users } from "@parley/db/platform/users";
import { and, eq, isNull } from "drizzle-orm";
import { createAuthorizationServer, findResource, scopesOfResource } from "./authorization-server.ts";
import { fromSubject } from "./subject.ts";

/** A revocation takes effect within 10 seconds everywhere. A cached actor lives for less, to leave room for the read. */
const ACTOR_TTL_MS = 8_000;
const FORM = /^[\w-]{43}:[\w-]{16}:[\w-]{32}$/;

type CachedToken = { actor: UserActor; audience: string; expiresAt: number };
type Context = { db: Database; clock: () => Date; beforeLookup?: () => void };

const isolateCache = new KeyCache<CachedToken>(10_000, ACTOR_TTL_MS);

/** Whether a text has the form of an access token, which no API key has. */
export const isAccessToken = (text: string): boolean => FORM.test(text);

/** An access token of a person, in `Authorization: Bearer <token>`. */
export const accessToken: Authenticator = {
	schemes: {
		oauth: {
			type: "http",
			scheme: "bearer",
			description:
				"An access token of a person. It works for the MCP endpoint that it was issued for, and nowhere else.",
		},
	},
	read: ({ headers }) => {
		const key = bearerKey(headers);
		return key !== undefined && isAccessToken(key) ? key : undefined;
	},
	resolve: (ctx, token, request) => authenticateToken(ctx, token, new URL(request.url)),
};

/**
 * Returns the person behind an access token, with the scopes that the person granted and still has.
 * @throws ApiError AUTH_REQUIRED when the token is unknown, revoked, expired, or bound to another endpoint
 */
async function authenticateToken(ctx: Context, token: string, url: URL): Promise<UserActor> {
	const now = ctx.clock().getTime();
	const hash = await sha256Hex(token);
	let entry = isolateCache.get(hash, now);
	if (!entry) {
		ctx.beforeLookup?.();
		entry = await readToken(ctx, token, url.origin);
		if (!entry) throw new ApiError("AUTH_REQUIRED", "The access token is unknown, revoked or expired.");
		isolateCache.set(hash, entry, now);
	}
	if (entry.expiresAt <= now) throw new ApiError("AUTH_REQUIRED", "The access token has expired.");
	if (entry.audience !== url.origin + url.pathname)
		throw new ApiError("AUTH_REQUIRED", "The access token was issued for another endpoint.");
	return entry.actor;
}

async function readToken(ctx: Context, token: string, origin: string): Promise<CachedToken | undefined> {
	const { api } = createAuthorizationServer(ctx, origin);
	const found = await api.unwrapToken(token);
	const person = found && fromSubject(found.userId);
	const resource = typeof found?.audience === "string" ? findResource(origin, found.audience) : undefined;
	if (!person || !resource) return undefined;
	const [row] = await ctx.db
		.select({ user: users, organisation: organisations })
		.from(users)
		.innerJoin(organisations, eq(organisations.id, users.organisationId))
		.where(
			and(
				eq(users.organisationId, person.organisationId),
				eq(users.id, person.userId),
				isNull(users.deletedAt),
			),
		);
	if (!row) return undefined;
	const { user, organisation } = row;
	const granted = scopesOfResource(resource).filter((scope) => found.scope.includes(scope));
	const held: readonly Scope[] = SCOPES_OF_ROLE[user.role];
	return {
		audience: resource.url,
		expiresAt: found.expiresAt * 1000,
		actor: {
			type: "user",
			id: `user:${user.id}`,
			userId: user.id,
			label: user.name ?? user.email ?? "Owner",
			scopes: new Set(granted.filter((scope) => held.includes(scope))),
			expiresAt: new Date(found.expiresAt * 1000).toISOString(),
			organisation: {
				...{ id: organisation.id, name: organisation.name },
				...{ tier: organisation.tier, features: organisation.features },
			},
		},
	};
}

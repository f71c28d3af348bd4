import type { RuntimeSessionActor } from "@parley/context/actor";
import { ApiError } from "@parley/contracts/shared/api-error";
import { AGENT_KEY_SCOPES } from "@parley/contracts/shared/scopes";
import { runtimeSessions } from "@parley/db/agents/runtime-sessions";
import type { Database } from "@parley/db/client";
import { apiKeys } from "@parley/db/platform/api-keys";
import { organisations } from "@parley/db/platform/organisations";
import { and, eq, isNull } from "drizzle-orm";
import { hashKey, isRuntimeToken } from "./api-key.ts";
import type { AuthContext } from "./authenticate-key.ts";
import { KeyCache } from "./key-cache.ts";

/** The end of a session takes effect within 10 seconds everywhere. A cached actor lives for less, to leave room for the read. */
const ACTOR_TTL_MS = 8_000;

type Context = Pick<AuthContext, "db" | "clock" | "beforeLookup">;

const isolateCache = new KeyCache<RuntimeSessionActor>(10_000, ACTOR_TTL_MS);

/**
 * Returns the actor behind the token of a runtime session. A token with a wrong checksum and one seen within the last seconds
 * touch no storage. Any other token costs one read by hash.
 * @throws ApiError AUTH_REQUIRED when the token is malformed or unknown, or its session has ended, or the key that opened it is
 * revoked or expired.
 */
export async function authenticateRuntimeSession(ctx: Context, token: string): Promise<RuntimeSessionActor> {
	if (!isRuntimeToken(token)) throw invalidToken();
	const now = ctx.clock();
	const hash = await hashKey(token);
	let actor = isolateCache.get(hash, now.getTime());
	if (!actor) {
		ctx.beforeLookup?.();
		actor = await readSession(ctx.db, hash);
		if (!actor) throw invalidToken();
		isolateCache.set(hash, actor, now.getTime());
	}
	if (Date.parse(actor.expiresAt) <= now.getTime())
		throw new ApiError("AUTH_REQUIRED", `This session ended at ${actor.expiresAt}. Open a new one.`);
	return actor;
}

/** Drops a session from this isolate's cache, so that its end takes effect here at once. */
export const forgetRuntimeSession = (hash: string): void => isolateCache.delete(hash);

const invalidToken = () =>
	new ApiError("AUTH_REQUIRED", "Invalid session token. The session may have ended: open a new one.");

async function readSession(db: Database, hash: string): Promise<RuntimeSessionActor | undefined> {
	const [row] = await db
		.select({ session: runtimeSessions, organisation: organisations, key: apiKeys })
		.from(runtimeSessions)
		.innerJoin(organisations, eq(organisations.id, runtimeSessions.organisationId))
		.leftJoin(
			apiKeys,
			and(
				eq(apiKeys.organisationId, runtimeSessions.organisationId),
				eq(apiKeys.id, runtimeSessions.apiKeyId),
				isNull(apiKeys.deletedAt),
			),
		)
		.where(and(eq(runtimeSessions.hash, hash), isNull(runtimeSessions.endedAt)));
	if (!row || (row.session.apiKeyId !== null && row.key === null)) return undefined;
	const { session, organisation, key } = row;
	// A key that expires ends its sessions then.
	const expiresAt = key?.expiresAt && key.expiresAt < session.expiresAt ? key.expiresAt : session.expiresAt;
	return {
		type: "runtime_session",
		id: `runtime_session:${session.id}`,
		label: key?.label ?? "Session",
		agentId: session.agentId,
		keyId: session.apiKeyId,
		scopes: new Set(AGENT_KEY_SCOPES),
		expiresAt,
		session: {
			id: session.id,
			agentId: session.agentId,
			agentVersion: session.agentVersion,
			variables: session.variables,
			caller: session.caller,
			callId: session.callId,
			mocks: session.mocks,
			expiresAt,
		},
		organisation: {
			id: organisation.id,
			name: organisation.name,
			tier: organisation.tier,
			features: organisation.features,
		},
	};
}

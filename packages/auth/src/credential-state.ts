import type { Actor } from "@parley/context/actor";
import type { Database } from "@parley/db/client";
import { apiKeys } from "@parley/db/platform/api-keys";
import { sessions } from "@parley/db/platform/sessions";
import { users } from "@parley/db/platform/users";
import { and, eq, gt, isNull, or } from "drizzle-orm";

/** Credential that opened a stream, as far as the stream needs it to check whether it is still valid. */
export type HeldCredential = { organisationId: string; keyId: string | null; sessionId: string | null };

/** Returns the credential to keep for an actor; undefined for one whose credential cannot be checked again. */
export function heldCredential(actor: Actor): HeldCredential | undefined {
	const organisationId = actor.organisation.id;
	if (actor.type === "api_key" || actor.type === "agent_key")
		return { organisationId, keyId: actor.keyId, sessionId: null };
	if (actor.type === "session") return { organisationId, keyId: actor.keyId, sessionId: actor.sessionId };
	return undefined;
}

/** Whether a credential is still valid: its API key, its session and its person are neither revoked nor over. */
export async function isStillValid(
	{ db, clock }: { db: Database; clock: () => Date },
	{ organisationId, keyId, sessionId }: HeldCredential,
): Promise<boolean> {
	const now = clock().toISOString();
	const readKey = db
		.select({ id: apiKeys.id })
		.from(apiKeys)
		.where(
			and(
				eq(apiKeys.organisationId, organisationId),
				eq(apiKeys.id, keyId ?? ""),
				isNull(apiKeys.deletedAt),
				or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
			),
		);
	const readSession = db
		.select({ id: sessions.id })
		.from(sessions)
		.leftJoin(users, and(eq(users.organisationId, sessions.organisationId), eq(users.id, sessions.userId)))
		.where(
			and(
				eq(sessions.organisationId, organisationId),
				eq(sessions.id, sessionId ?? ""),
				isNull(sessions.endedAt),
				gt(sessions.expiresAt, now),
				or(isNull(sessions.userId), and(eq(users.id, sessions.userId), isNull(users.deletedAt))),
			),
		);
	const [keys, open] = await db.batch([readKey, readSession]);
	return (keyId === null || keys.length > 0) && (sessionId === null || open.length > 0);
}

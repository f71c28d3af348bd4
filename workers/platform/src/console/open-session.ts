import { hashKey } from "@parley/auth/api-key";
import { forgetSession, sessionExpiry } from "@parley/auth/authenticate-session";
import { createSessionToken, SESSION_MAX_AGE_SECONDS } from "@parley/auth/session-cookie";
import type { SessionDoor } from "@parley/contracts/platform/console";
import { auditLog } from "@parley/db/agents/audit-log";
import { newId } from "@parley/db/id";
import { type SessionRow, sessions } from "@parley/db/platform/sessions";
import { users } from "@parley/db/platform/users";
import { and, eq, isNull, lt } from "drizzle-orm";
import type { OpenCtx } from "../context.ts";

/** Facts about the browser that signs in. */
export type Browser = {
	userAgent: string;
	/** Token of the session that the browser has already. */
	token: string | undefined;
};

/** Person or key that signs in, and the door used. */
export type Arrival = {
	organisationId: string;
	userId: string | null;
	apiKeyId: string | null;
	door: SessionDoor;
};

type Context = Pick<OpenCtx, "db" | "clock" | "requestId">;

const MAX_USER_AGENT = 200;
const KEPT_AFTER_END_MS = 24 * 60 * 60 * 1000;

/** Opens a session under a new token and ends the one that the browser had, so that no token outlives a sign-in. */
export async function openSession(
	ctx: Context,
	arrival: Arrival,
	browser: Browser,
): Promise<{ token: string; session: SessionRow }> {
	const { organisationId, userId, apiKeyId } = arrival;
	const now = ctx.clock();
	const createdAt = now.toISOString();
	const token = createSessionToken();
	const endsAt = new Date(now.getTime() + SESSION_MAX_AGE_SECONDS * 1000).toISOString();
	const session: SessionRow = {
		...arrival,
		id: newId(),
		hash: await hashKey(token),
		userAgent: browser.userAgent.slice(0, MAX_USER_AGENT),
		createdAt,
		lastUsedAt: createdAt,
		expiresAt: sessionExpiry(now, endsAt),
		endsAt,
		endedAt: null,
	};
	const earlier = browser.token ? await hashKey(browser.token) : undefined;
	const expired = new Date(now.getTime() - KEPT_AFTER_END_MS).toISOString();
	await ctx.db.batch([
		ctx.db
			.delete(sessions)
			.where(and(eq(sessions.organisationId, organisationId), lt(sessions.endsAt, expired))),
		ctx.db
			.update(sessions)
			.set({ endedAt: createdAt })
			.where(and(eq(sessions.hash, earlier ?? ""), isNull(sessions.endedAt))),
		ctx.db.insert(sessions).values(session),
		ctx.db
			.update(users)
			.set({ lastSignInAt: createdAt })
			.where(and(eq(users.organisationId, organisationId), eq(users.id, userId ?? ""))),
		ctx.db.insert(auditLog).values({
			id: newId(),
			organisationId,
			actor: userId === null ? `api_key:${apiKeyId}` : `user:${userId}`,
			action: "session.create",
			resourceType: "session",
			resourceId: session.id,
			resourceName: arrival.door,
			details: { door: arrival.door },
			requestId: ctx.requestId,
			createdAt,
		}),
	]);
	if (earlier) forgetSession(earlier);
	return { token, session };
}

import { type UserRow, userIdentities, users } from "@parley/db/platform/users";
import { and, desc, eq, getTableColumns, isNull, sql } from "drizzle-orm";
import type { OpenCtx } from "../../context.ts";
import type { Identity } from "./oidc-provider.ts";
import { SignInRefused } from "./sign-in-problem.ts";

/**
 * Returns the person whom an identity stands for: the one to whom it was bound before, else the one who was invited by its
 * verified e-mail address, to whom it is bound now. An address that another account of the provider is bound to is nobody's.
 * Of several organisations it takes the one that the caller names, else the one used last.
 * @throws SignInRefused not_invited, email_unverified
 */
export async function findInvitedUser(
	ctx: Pick<OpenCtx, "db" | "clock">,
	identity: Identity,
	organisationId: string | undefined,
): Promise<UserRow> {
	const { db } = ctx;
	const { issuer, subject, email, isEmailVerified } = identity;
	const isWanted = and(
		isNull(users.deletedAt),
		organisationId === undefined ? undefined : eq(users.organisationId, organisationId),
	);
	const isSamePerson = and(
		eq(userIdentities.organisationId, users.organisationId),
		eq(userIdentities.userId, users.id),
		eq(userIdentities.issuer, issuer),
	);
	const [[bound], [invited]] = await db.batch([
		db
			.select(getTableColumns(users))
			.from(userIdentities)
			.innerJoin(users, isSamePerson)
			.where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject), isWanted))
			.orderBy(desc(users.lastSignInAt))
			.limit(1),
		db
			.select(getTableColumns(users))
			.from(users)
			.leftJoin(userIdentities, isSamePerson)
			.where(and(eq(users.email, email ?? ""), isNull(userIdentities.subject), isWanted))
			.orderBy(desc(users.lastSignInAt), users.createdAt)
			.limit(1),
	]);
	if (bound) return bound;
	if (!invited) throw new SignInRefused("not_invited");
	if (!isEmailVerified) throw new SignInRefused("email_unverified");
	const { organisationId: home, id: userId } = invited;
	const created = { organisationId: home, userId, issuer, subject, createdAt: ctx.clock().toISOString() };
	await db.insert(userIdentities).values(created).onConflictDoNothing();
	const [now] = await db
		.select({ subject: userIdentities.subject })
		.from(userIdentities)
		.where(
			and(
				eq(userIdentities.organisationId, home),
				eq(userIdentities.userId, userId),
				eq(userIdentities.issuer, issuer),
				sql`exists (select 1 from ${users} where ${and(eq(users.organisationId, home), eq(users.id, userId), isNull(users.deletedAt))})`,
			),
		);
	// Of two accounts that arrive at once, one is bound.
	if (now?.subject !== subject) throw new SignInRefused("not_invited");
	return invited;
}

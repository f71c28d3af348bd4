import type { SessionEntry } from "@parley/contracts/platform/console";
import type { InviteUser, UpdateMe, UpdateUser, User, UsersQuery } from "@parley/contracts/platform/users";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import type { ArrayPage } from "@parley/contracts/shared/common";
import { type Role, SCOPES_OF_ROLE } from "@parley/contracts/shared/roles";
import { auditLog } from "@parley/db/agents/audit-log";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { isUniqueViolation } from "@parley/db/client";
import { countMatching } from "@parley/db/count-matching";
import { newId } from "@parley/db/id";
import { sessions } from "@parley/db/platform/sessions";
import { type UserRow, userIdentities, users } from "@parley/db/platform/users";
import { and, asc, desc, eq, gt, isNotNull, isNull, ne, sql } from "drizzle-orm";
import { endSessions } from "../console/end-sessions.ts";
import { findFirstOwner } from "../console/first-owner.ts";
import { toSessionEntry } from "../console/session.service.ts";
import type { Ctx } from "../context.ts";

export async function listUsers(ctx: Ctx, query: UsersQuery): Promise<ArrayPage<User>> {
	const isMember = and(eq(users.organisationId, ctx.actor.organisation.id), isNull(users.deletedAt));
	const [rows, [counted]] = await ctx.db.batch([
		ctx.db
			.select()
			.from(users)
			.where(isMember)
			.orderBy(asc(users.createdAt), asc(users.id))
			.limit(query.limit)
			.offset(query.offset),
		countMatching(ctx.db, users, isMember),
	]);
	return { items: rows.map(toUser), total: counted?.total ?? 0 };
}

/** @throws ApiError RESOURCE_NOT_FOUND */
export const getUser = async (ctx: Ctx, userId: string): Promise<User> => toUser(await readUser(ctx, userId));

/**
 * Invites a person. The first one of an organisation must be an owner.
 * @throws ApiError FORBIDDEN for a role that the caller may not give; USER_EMAIL_CONFLICT
 */
export async function inviteUser(ctx: Ctx, input: InviteUser): Promise<User> {
	const organisationId = ctx.actor.organisation.id;
	const isFirst = (await findFirstOwner(ctx.db, organisationId)) === undefined;
	if (isFirst && input.role !== "owner") throw invalid("role", "The first person must be an owner");
	assertMayGive(ctx, input.role, isFirst);
	const now = ctx.clock().toISOString();
	const row: UserRow = {
		...{ id: newId(), organisationId, email: input.email, name: input.name ?? null, role: input.role },
		...{ apiKeyId: null, createdBy: ctx.actor.id, createdAt: now, updatedAt: now },
		...{ lastSignInAt: null, deletedAt: null },
	};
	await ctx.db
		.batch([ctx.db.insert(users).values(row), auditUser(ctx, "invite", row, { role: row.role })])
		.catch(rejectTakenEmail);
	return toUser(row);
}

/**
 * Changes a person's role, name or address.
 * @throws ApiError RESOURCE_NOT_FOUND; FORBIDDEN for an owner, or a role, that the caller may not change; LAST_OWNER;
 * USER_EMAIL_CONFLICT; VALIDATION_FAILED for the address of somebody who has signed in
 */
export async function updateUser(ctx: Ctx, userId: string, input: UpdateUser): Promise<User> {
	const before = await readUser(ctx, userId);
	assertMayChange(ctx, before);
	if (input.role !== undefined && input.role !== before.role) assertMayGive(ctx, input.role, false);
	const hasJoined = before.email !== null && before.lastSignInAt !== null;
	if (input.email !== undefined && input.email !== before.email && hasJoined)
		throw invalid("email", "Cannot change once the person has signed in. Invite the new address instead");
	const after: UserRow = { ...before, ...input, updatedAt: ctx.clock().toISOString() };
	const changes = { name: after.name, email: after.email, role: after.role, updatedAt: after.updatedAt };
	await ctx.db
		.batch([
			assertUnchanged(ctx.db, before),
			assertKeepsOwner(ctx.db, before, after.role),
			ctx.db.update(users).set(changes).where(isLive(ctx, userId)),
			auditUser(ctx, "update", after, { before: facts(before), after: facts(after) }),
		])
		.catch(rejectChange);
	return toUser(after);
}

/**
 * Removes a person and ends their sessions.
 * @throws ApiError RESOURCE_NOT_FOUND; FORBIDDEN for an owner, unless an owner asks; LAST_OWNER
 */
export async function deleteUser(ctx: Ctx, userId: string): Promise<void> {
	const row = await readUser(ctx, userId);
	assertMayChange(ctx, row);
	const now = ctx.clock().toISOString();
	const { organisationId } = row;
	await ctx.db
		.batch([
			assertUnchanged(ctx.db, row),
			assertKeepsOwner(ctx.db, row, undefined),
			ctx.db.update(users).set({ deletedAt: now }).where(isLive(ctx, userId)),
			ctx.db
				.update(sessions)
				.set({ endedAt: now })
				.where(
					and(
						eq(sessions.organisationId, organisationId),
						eq(sessions.userId, userId),
						isNull(sessions.endedAt),
					),
				),
			ctx.db
				.delete(userIdentities)
				.where(and(eq(userIdentities.organisationId, organisationId), eq(userIdentities.userId, userId))),
			auditUser(ctx, "delete", row, facts(row)),
		])
		.catch(rejectChange);
}

/** Returns the open sessions of a person, the latest first. @throws ApiError RESOURCE_NOT_FOUND */
export async function listUserSessions(ctx: Ctx, userId: string): Promise<SessionEntry[]> {
	const { organisationId } = await readUser(ctx, userId);
	const rows = await ctx.db
		.select()
		.from(sessions)
		.where(
			and(
				eq(sessions.organisationId, organisationId),
				eq(sessions.userId, userId),
				isNull(sessions.endedAt),
				gt(sessions.expiresAt, ctx.clock().toISOString()),
			),
		)
		.orderBy(desc(sessions.createdAt))
		.limit(200);
	const current = ctx.actor.type === "session" ? ctx.actor.sessionId : undefined;
	return rows.map((row) => toSessionEntry(row, current));
}

/** Ends every session of a person. @throws ApiError RESOURCE_NOT_FOUND; FORBIDDEN for an owner, unless an owner asks */
export async function endUserSessions(ctx: Ctx, userId: string): Promise<void> {
	assertMayChange(ctx, await readUser(ctx, userId));
	await endSessions(ctx, eq(sessions.userId, userId));
}

async function readUser(ctx: Ctx, userId: string): Promise<UserRow> {
	const [row] = await ctx.db.select().from(users).where(isLive(ctx, userId));
	if (!row) throw notFound("User", userId);
	return row;
}

const isLive = ({ actor }: Ctx, userId: string) =>
	and(eq(users.organisationId, actor.organisation.id), eq(users.id, userId), isNull(users.deletedAt));

const isOwner = ({ actor }: Ctx): boolean => actor.type === "session" && actor.role === "owner";

/** Only owners change owners. @throws ApiError FORBIDDEN */
function assertMayChange(ctx: Ctx, { role }: UserRow): void {
	if (role === "owner" && !isOwner(ctx)) throw new ApiError("FORBIDDEN", "Only an owner can change an owner");
}

/** Checks that people give only roles that can do no more than their own. @throws ApiError FORBIDDEN */
function assertMayGive(ctx: Ctx, role: Role, isFirst: boolean): void {
	if (role === "owner" && !isFirst && !isOwner(ctx))
		throw new ApiError("FORBIDDEN", "Only an owner can make somebody an owner");
	const missing = SCOPES_OF_ROLE[role].find((scope) => !ctx.actor.scopes.has(scope));
	if (missing)
		throw new ApiError("FORBIDDEN", `The role ${role} has the scope ${missing}, which the caller lacks`);
}

const assertUnchanged = (db: Ctx["db"], { id, organisationId, updatedAt }: UserRow) =>
	assertThat(
		db,
		sql`exists (select 1 from ${users} where ${and(
			eq(users.organisationId, organisationId),
			eq(users.id, id),
			eq(users.updatedAt, updatedAt),
			isNull(users.deletedAt),
		)})`,
		"CHANGED",
	);

/** Lets the batch fail that would leave the organisation without an owner who has signed in. */
const assertKeepsOwner = (db: Ctx["db"], row: UserRow, role: Role | undefined) =>
	assertThat(
		db,
		role === "owner" || row.role !== "owner"
			? sql`true`
			: sql`exists (select 1 from ${users} where ${and(
					eq(users.organisationId, row.organisationId),
					eq(users.role, "owner"),
					isNull(users.deletedAt),
					isNotNull(users.lastSignInAt),
					ne(users.id, row.id),
				)})`,
		"LAST_OWNER",
	);

function rejectChange(error: unknown): never {
	switch (failedAssertion(error)) {
		case "LAST_OWNER":
			throw new ApiError("LAST_OWNER", "The organisation needs an owner. Make somebody else an owner first.");
		case "CHANGED":
			throw new ApiError(
				"REVISION_CONFLICT",
				"Another request changed the person at the same time; read it again",
			);
		default:
			return rejectTakenEmail(error);
	}
}

function rejectTakenEmail(error: unknown): never {
	if (!isUniqueViolation(error)) throw error;
	const message = "Another person of the organisation has this address";
	throw new ApiError("USER_EMAIL_CONFLICT", message, { fields: [{ path: "email", message }] });
}

const invalid = (path: string, message: string) =>
	new ApiError("VALIDATION_FAILED", `${path}: ${message}`, { fields: [{ path, message }] });

const facts = ({ role, name, email }: UserRow) => ({ role, name, email });

const auditUser = (
	ctx: Ctx,
	verb: "invite" | "update" | "delete",
	row: UserRow,
	details: Record<string, unknown>,
) =>
	ctx.db.insert(auditLog).values({
		id: newId(),
		organisationId: row.organisationId,
		actor: ctx.actor.id,
		action: `user.${verb}`,
		resourceType: "user",
		resourceId: row.id,
		resourceName: row.name ?? row.email ?? row.role,
		details,
		requestId: ctx.requestId,
		createdAt: ctx.clock().toISOString(),
	});

/** Returns a person as the API answers. */
export const toUser = (row: UserRow): User => ({
	id: row.id,
	email: row.email,
	name: row.name,
	role: row.role,
	status: row.lastSignInAt === null ? "invited" : "active",
	created_by: row.createdBy,
	created_at: row.createdAt,
	updated_at: row.updatedAt,
	last_sign_in_at: row.lastSignInAt,
});

/**
 * Changes the name of the person who is signed in, and the address of one who has none.
 * @throws ApiError FORBIDDEN for an API key; USER_EMAIL_CONFLICT; VALIDATION_FAILED for another address
 */
export async function updateOwnUser(ctx: Ctx, input: UpdateMe): Promise<User> {
	const { actor } = ctx;
	if (actor.type !== "session" || actor.userId === null)
		throw new ApiError("FORBIDDEN", "An API key has no name and address. Sign in as a person.");
	const before = await readUser(ctx, actor.userId);
	if (input.email !== undefined && before.email !== null && input.email !== before.email)
		throw invalid("email", "Cannot change. Ask an admin to invite the new address");
	const after: UserRow = { ...before, ...input, updatedAt: ctx.clock().toISOString() };
	const changes = { name: after.name, email: after.email, updatedAt: after.updatedAt };
	await ctx.db
		.batch([
			assertUnchanged(ctx.db, before),
			ctx.db.update(users).set(changes).where(isLive(ctx, before.id)),
			auditUser(ctx, "update", after, { before: facts(before), after: facts(after) }),
		])
		.catch(rejectChange);
	return toUser(after);
}

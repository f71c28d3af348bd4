import type { Me, Organisation } from "@parley/contracts/platform/account";
import { notFound } from "@parley/contracts/shared/api-error";
import { apiKeys } from "@parley/db/platform/api-keys";
import { DEFAULT_FEATURES, organisations } from "@parley/db/platform/organisations";
import { type UserRow, users } from "@parley/db/platform/users";
import { and, eq, or, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

/** Returns the caller's account, with the person who is signed in or who made the API key. */
export async function getMe(ctx: Ctx): Promise<Me> {
	const { actor } = ctx;
	const person = await findPerson(ctx);
	return {
		name: person?.name ?? null,
		email: person?.email ?? null,
		org_id: actor.organisation.id,
		org_name: actor.organisation.name,
		api_key_label: actor.type === "session" && actor.userId !== null ? "Console" : actor.label,
		tier: actor.organisation.tier,
	};
}

async function findPerson({ db, actor }: Ctx): Promise<Pick<UserRow, "name" | "email"> | undefined> {
	const ofOrganisation = eq(users.organisationId, actor.organisation.id);
	const columns = { name: users.name, email: users.email };
	if (actor.type === "session" && actor.userId !== null) {
		const [person] = await db
			.select(columns)
			.from(users)
			.where(and(ofOrganisation, eq(users.id, actor.userId)));
		return person;
	}
	const keyId = "keyId" in actor ? actor.keyId : null;
	const [maker] = await db
		.select(columns)
		.from(apiKeys)
		.innerJoin(users, or(eq(apiKeys.createdBy, sql`'user:' || ${users.id}`), eq(users.apiKeyId, apiKeys.id)))
		.where(
			and(ofOrganisation, eq(apiKeys.organisationId, actor.organisation.id), eq(apiKeys.id, keyId ?? "")),
		);
	return maker;
}

/** @throws ApiError RESOURCE_NOT_FOUND when the organisation went while its key was in use. */
export async function getOrganisation({ db, actor }: Ctx): Promise<Organisation> {
	const [row] = await db.select().from(organisations).where(eq(organisations.id, actor.organisation.id));
	if (!row) throw notFound("Organisation", actor.organisation.id);
	return {
		id: row.id,
		name: row.name,
		tier: row.tier,
		features: { ...DEFAULT_FEATURES, ...row.features },
		credit_seconds: row.creditSeconds,
		created_at: row.createdAt,
	};
}

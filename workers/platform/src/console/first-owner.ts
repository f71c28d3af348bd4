import type { Database } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { users } from "@parley/db/platform/users";
import { and, asc, eq, isNull, sql } from "drizzle-orm";

type Newcomer = { organisationId: string; apiKeyId: string | null; createdBy: string; now: Date };

/** Makes the first person of an organisation its owner, unless it has an owner already. */
export function createFirstOwner(db: Database, { organisationId, apiKeyId, createdBy, now }: Newcomer) {
	const at = now.toISOString();
	const hasOwner = db.select({ found: sql`1` }).from(users).where(isOwnerOf(organisationId));
	return db.run(sql`
		insert into ${users} (id, organisation_id, role, api_key_id, created_by, created_at, updated_at)
		select ${newId()}, ${organisationId}, 'owner', ${apiKeyId}, ${createdBy}, ${at}, ${at}
		where not exists ${hasOwner}`);
}

/** Returns the organisation's oldest owner. */
export async function findFirstOwner(db: Database, organisationId: string): Promise<string | undefined> {
	const [owner] = await db
		.select({ id: users.id })
		.from(users)
		.where(isOwnerOf(organisationId))
		.orderBy(asc(users.createdAt), asc(users.id))
		.limit(1);
	return owner?.id;
}

const isOwnerOf = (organisationId: string) =>
	and(eq(users.organisationId, organisationId), eq(users.role, "owner"), isNull(users.deletedAt));

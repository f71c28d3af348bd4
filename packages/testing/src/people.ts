import { hashKey } from "@parley/auth/api-key";
import { createSessionToken } from "@parley/auth/session-cookie";
import { ROLES, type Role } from "@parley/contracts/shared/roles";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { sessions } from "@parley/db/platform/sessions";
import { users } from "@parley/db/platform/users";

export type Person = { userId: string; role: Role; token: string };

/** Creates a person of each role in an organisation, each with an open session. */
export async function createPeople(d1: D1Database, organisationId: string): Promise<Record<Role, Person>> {
	const people = await Promise.all(ROLES.map((role) => createPerson(d1, organisationId, role)));
	return Object.fromEntries(people.map((person) => [person.role, person])) as Record<Role, Person>;
}

/** Creates a person with an open session. */
export async function createPerson(d1: D1Database, organisationId: string, role: Role): Promise<Person> {
	const db = openDatabase(d1);
	const userId = newId();
	const token = createSessionToken();
	const now = new Date().toISOString();
	const later = new Date(Date.now() + 3_600_000).toISOString();
	await db.batch([
		db.insert(users).values({
			...{ id: userId, organisationId, role, email: `${role}-${userId}@acme.example` },
			...{ createdBy: "test", createdAt: now, updatedAt: now, lastSignInAt: now },
		}),
		db.insert(sessions).values({
			...{ id: newId(), organisationId, userId, hash: await hashKey(token), door: "oidc" as const },
			...{ userAgent: "Test browser", createdAt: now, lastUsedAt: now, expiresAt: later, endsAt: later },
		}),
	]);
	return { userId, role, token };
}

/** Returns the headers that the console sends with a session from a page of an origin. */
export const consoleHeaders = ({ token }: Person, origin: string): Record<string, string> => ({
	...{ cookie: `__Host-parley=${token}`, "x-parley-console": "1", origin },
});

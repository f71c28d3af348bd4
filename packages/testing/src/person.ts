import { hashKey } from "@parley/auth/api-key";
import { createSessionToken } from "@parley/auth/session-cookie";
import type { Role } from "@parley/contracts/shared/roles";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { sessions } from "@parley/db/platform/sessions";
import { users } from "@parley/db/platform/users";

const LIFE_MS = 60 * 60 * 1000;

/**
 * A person of an organisation who is signed in to the console.
 * @returns the person's id, and the headers of a request from a page of `https://parley.example`
 */
export async function createPerson(
	d1: D1Database,
	organisationId: string,
	role: Role = "owner",
): Promise<{ id: string; headers: Record<string, string> }> {
	const db = openDatabase(d1);
	const [id, token] = [newId(), createSessionToken()];
	const now = new Date().toISOString();
	const endsAt = new Date(Date.now() + LIFE_MS).toISOString();
	const times = { createdAt: now, updatedAt: now };
	await db.batch([
		db
			.insert(users)
			.values({ id, organisationId, role, email: `${id}@example.com`, createdBy: "test", ...times }),
		db.insert(sessions).values({
			...{ id: newId(), organisationId, userId: id, hash: await hashKey(token), door: "key" },
			...{ userAgent: "test", createdAt: now, lastUsedAt: now, expiresAt: endsAt, endsAt },
		}),
	]);
	const headers = {
		...{ cookie: `__Host-parley=${token}`, "x-parley-console": "1" },
		origin: "https://parley.example",
	};
	return { id, headers };
}

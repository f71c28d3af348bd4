import { createKey, hashKey, keyDisplay } from "@parley/auth/api-key";
import { DEFAULT_SCOPES, SCOPES, type Scope } from "@parley/contracts/shared/scopes";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { apiKeys } from "@parley/db/platform/api-keys";
import { type Features, organisations } from "@parley/db/platform/organisations";

type KeyOptions = { family?: "consumer" | "batch"; scopes?: readonly Scope[]; expiresAt?: string | null };

/** An organisation of a test's own, with a consumer key that holds every scope. */
export async function createOrganisation(
	d1: D1Database,
	options: { features?: Features; creditSeconds?: number | null } = {},
): Promise<{ id: string; key: string; batchKey: string }> {
	const id = newId();
	const now = new Date().toISOString();
	await openDatabase(d1)
		.insert(organisations)
		.values({
			id,
			name: `org-${id}`,
			features: options.features ?? {},
			creditSeconds: options.creditSeconds ?? null,
			createdAt: now,
			updatedAt: now,
		});
	const { key } = await issueKey(d1, id, { scopes: SCOPES });
	const { key: batchKey } = await issueKey(d1, id, { family: "batch" });
	return { id, key, batchKey };
}

/** Another key of an organisation. */
export async function issueKey(d1: D1Database, organisationId: string, options: KeyOptions = {}) {
	const family = options.family ?? "consumer";
	const key = createKey(family);
	const id = newId();
	await openDatabase(d1)
		.insert(apiKeys)
		.values({
			id,
			organisationId,
			family,
			label: "test",
			hash: await hashKey(key),
			...keyDisplay(key),
			scopes: [...(options.scopes ?? DEFAULT_SCOPES)],
			createdBy: "test",
			createdAt: new Date().toISOString(),
			expiresAt: options.expiresAt ?? null,
		});
	return { id, key };
}

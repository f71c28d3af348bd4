import { createKey, createRuntimeToken, hashKey, keyDisplay } from "@parley/auth/api-key";
import type { RuntimeSession } from "@parley/contracts/internal/agent-runtime-rpc";
import { runtimeSessions } from "@parley/db/agents/runtime-sessions";
import { openDatabase } from "@parley/db/client";
import { newId } from "@parley/db/id";
import { apiKeys } from "@parley/db/platform/api-keys";
import { createOrganisation } from "./organisation.ts";

/** A key of one agent. */
export async function issueAgentKey(
	d1: D1Database,
	organisationId: string,
	agentId: string,
	{ agentVersion = null, expiresAt = null }: { agentVersion?: number | null; expiresAt?: string | null } = {},
): Promise<{ id: string; key: string }> {
	const key = createKey("agent");
	const id = newId();
	await openDatabase(d1)
		.insert(apiKeys)
		.values({
			...{ id, organisationId, family: "agent", label: "agent", agentId, agentVersion, expiresAt },
			...{ hash: await hashKey(key), ...keyDisplay(key), scopes: ["runtime:use"] },
			...{ createdBy: "test", createdAt: new Date().toISOString() },
		});
	return { id, key };
}

/** The token of a session of one agent. */
export async function issueSessionToken(
	d1: D1Database,
	organisationId: string,
	agentId: string,
	given: Partial<RuntimeSession> & { apiKeyId?: string } = {},
): Promise<{ id: string; token: string }> {
	const token = createRuntimeToken();
	const id = newId();
	const now = Date.now();
	await openDatabase(d1)
		.insert(runtimeSessions)
		.values({
			...{ id, organisationId, agentId, agentVersion: 1, hash: await hashKey(token) },
			...{ variables: {}, caller: {}, callId: null, mocks: false, apiKeyId: null, createdBy: "test" },
			createdAt: new Date(now).toISOString(),
			expiresAt: new Date(now + 3_600_000).toISOString(),
			...given,
		});
	return { id, token };
}

/** The credentials of an agent that need not exist, in an organisation of their own. */
export async function agentCredentials(d1: D1Database) {
	const { id } = await createOrganisation(d1);
	const agentId = newId();
	const { key: agentKey } = await issueAgentKey(d1, id, agentId);
	const { token: sessionToken } = await issueSessionToken(d1, id, agentId);
	return { organisationId: id, agentId, agentKey, sessionToken };
}

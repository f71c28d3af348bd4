import { createKey as createKeyText, hashKey, keyDisplay } from "@parley/auth/api-key";
import { forgetKey } from "@parley/auth/authenticate-key";
import type { CreatedKey, CreateKey, Key, KeysQuery } from "@parley/contracts/platform/keys";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import type { ArrayPage } from "@parley/contracts/shared/common";
import { AGENT_KEY_SCOPES, DEFAULT_SCOPES, type Scope } from "@parley/contracts/shared/scopes";
import { agentVersions } from "@parley/db/agents/agent-versions";
import { agents } from "@parley/db/agents/agents";
import { auditLog } from "@parley/db/agents/audit-log";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { countMatching } from "@parley/db/count-matching";
import { newId } from "@parley/db/id";
import { apiKeys } from "@parley/db/platform/api-keys";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";

type KeyRow = typeof apiKeys.$inferSelect;

/**
 * @throws ApiError FORBIDDEN for a scope that the maker lacks; VALIDATION_FAILED for an expiry that has passed, or an agent or
 * version that does not exist.
 */
export async function createKey(ctx: Ctx, input: CreateKey): Promise<CreatedKey> {
	const isAgentKey = input.family === "agent";
	const scopes = grantableScopes(ctx, isAgentKey ? AGENT_KEY_SCOPES : (input.scopes ?? DEFAULT_SCOPES));
	const { agent_id: agentId = null, agent_version: agentVersion = null } = input;
	const key = createKeyText(input.family);
	const row: KeyRow = {
		id: newId(),
		organisationId: ctx.actor.organisation.id,
		family: input.family,
		label: input.label,
		hash: await hashKey(key),
		...keyDisplay(key),
		scopes,
		...{ agentId, agentVersion },
		createdBy: ctx.actor.id,
		createdAt: ctx.clock().toISOString(),
		expiresAt: readExpiry(ctx, input.expires_at),
		lastUsedAt: null,
		deletedAt: null,
	};
	try {
		await ctx.db.batch([
			ctx.db.insert(apiKeys).values(row),
			auditKey(ctx, "create", row),
			...(agentId === null ? [] : assertAgent(ctx, agentId, agentVersion)),
		]);
	} catch (error) {
		throw missingAgent(row, failedAssertion(error)) ?? error;
	}
	return { ...toKey(row), key };
}

/** Asserts that the agent is not deleted and has the version, in the batch that writes the key. */
function assertAgent(ctx: Ctx, agentId: string, version: number | null) {
	const organisationId = ctx.actor.organisation.id;
	const isLive = sql`exists (select 1 from ${agents} where ${agents.organisationId} = ${organisationId}
		and ${agents.id} = ${agentId} and ${agents.deletedAt} is null)`;
	const hasVersion = sql`exists (select 1 from ${agentVersions}
		where ${agentVersions.organisationId} = ${organisationId} and ${agentVersions.agentId} = ${agentId}
			and ${agentVersions.versionNumber} = ${version})`;
	return [
		assertThat(ctx.db, isLive, "AGENT_GONE"),
		...(version === null ? [] : [assertThat(ctx.db, hasVersion, "VERSION_GONE")]),
	];
}

function missingAgent(row: KeyRow, failure: string | undefined): ApiError | undefined {
	if (failure === "AGENT_GONE") return invalid("agent_id", `Agent not found: ${row.agentId}`);
	if (failure === "VERSION_GONE")
		return invalid("agent_version", `The agent has no version ${row.agentVersion}`);
	return undefined;
}

const invalid = (path: string, message: string): ApiError =>
	new ApiError("VALIDATION_FAILED", `${path}: ${message}`, { fields: [{ path, message }] });

export async function listKeys(ctx: Ctx, query: KeysQuery): Promise<ArrayPage<Key>> {
	const isLive = and(eq(apiKeys.organisationId, ctx.actor.organisation.id), isNull(apiKeys.deletedAt));
	const [rows, [counted]] = await ctx.db.batch([
		ctx.db
			.select()
			.from(apiKeys)
			.where(isLive)
			.orderBy(asc(apiKeys.label), asc(apiKeys.id))
			.limit(query.limit)
			.offset(query.offset),
		countMatching(ctx.db, apiKeys, isLive),
	]);
	return { items: rows.map(toKey), total: counted?.total ?? 0 };
}

/** @throws ApiError RESOURCE_NOT_FOUND */
export const getKey = async (ctx: Ctx, keyId: string): Promise<Key> => toKey(await readKey(ctx, keyId));

/** Revokes a key. @throws ApiError RESOURCE_NOT_FOUND */
export async function deleteKey(ctx: Ctx, keyId: string): Promise<void> {
	const row = await readKey(ctx, keyId);
	await ctx.db.batch([
		ctx.db.update(apiKeys).set({ deletedAt: ctx.clock().toISOString() }).where(isLiveKey(ctx, keyId)),
		auditKey(ctx, "delete", row),
	]);
	forgetKey(row.hash);
}

async function readKey(ctx: Ctx, keyId: string): Promise<KeyRow> {
	const [row] = await ctx.db.select().from(apiKeys).where(isLiveKey(ctx, keyId));
	if (!row) throw notFound("API key", keyId);
	return row;
}

const isLiveKey = ({ actor }: Ctx, keyId: string) =>
	and(eq(apiKeys.organisationId, actor.organisation.id), eq(apiKeys.id, keyId), isNull(apiKeys.deletedAt));

function grantableScopes({ actor }: Ctx, scopes: readonly Scope[]): Scope[] {
	const missing = scopes.find((scope) => !actor.scopes.has(scope));
	if (missing) throw new ApiError("FORBIDDEN", `This API key lacks the scope ${missing} and cannot give it`);
	return [...new Set(scopes)];
}

function readExpiry(ctx: Ctx, expiresAt: string | null | undefined): string | null {
	if (expiresAt === null || expiresAt === undefined) return null;
	const date = new Date(expiresAt);
	if (date > ctx.clock()) return date.toISOString();
	throw invalid("expires_at", "Must be in the future");
}

const auditKey = (ctx: Ctx, verb: "create" | "delete", row: KeyRow) =>
	ctx.db.insert(auditLog).values({
		id: newId(),
		organisationId: row.organisationId,
		actor: ctx.actor.id,
		action: `api_key.${verb}`,
		resourceType: "api_key",
		resourceId: row.id,
		resourceName: row.label,
		details: {
			...{ family: row.family, scopes: row.scopes, expires_at: row.expiresAt },
			...(row.agentId !== null && { agent_id: row.agentId, agent_version: row.agentVersion }),
		},
		requestId: ctx.requestId,
		createdAt: ctx.clock().toISOString(),
	});

const toKey = (row: KeyRow): Key => ({
	id: row.id,
	organisation_id: row.organisationId,
	label: row.label,
	family: row.family,
	prefix: row.prefix,
	last_four: row.lastFour,
	scopes: row.scopes as Scope[],
	...{ agent_id: row.agentId, agent_version: row.agentVersion },
	created_by: row.createdBy,
	created_at: row.createdAt,
	expires_at: row.expiresAt,
	last_used_at: row.lastUsedAt,
});

import { createRuntimeToken, hashKey } from "@parley/auth/api-key";
import { forgetRuntimeSession } from "@parley/auth/authenticate-runtime-session";
import type { AgentConfig } from "@parley/contracts/agents/agents";
import type {
	OpenedRuntimeSession,
	OpenRuntimeSession,
	RuntimeSession,
	RuntimeSessionQuery,
} from "@parley/contracts/agents/runtime-sessions";
import { ApiError, type FieldError, notFound } from "@parley/contracts/shared/api-error";
import { calls } from "@parley/db/agents/calls";
import { type RuntimeSessionRow, runtimeSessions } from "@parley/db/agents/runtime-sessions";
import { assertThat, failedAssertion } from "@parley/db/assertion";
import { newId } from "@parley/db/id";
import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { agentIsLive, getAgentName } from "../../agents/agents.service.ts";
import type { Ctx } from "../../context.ts";
import { assertActive, loadAgentInForce, loadAgentVersion } from "../in-force/agent-in-force.ts";
import { resolveTexts } from "../in-force/resolve-texts.ts";

type CallRow = Pick<typeof calls.$inferSelect, "agentVersion" | "direction" | "endedAt">;

/**
 * Opens a session of an agent, with the version that is in force now: the one that the caller's key is pinned to, the one of
 * the recorded call, or the current one.
 * @param origin origin that the caller used, for the addresses in the answer
 * @throws ApiError RESOURCE_NOT_FOUND, AGENT_INACTIVE; VALIDATION_FAILED for a variable without a value, or a call that is not
 * a live one of the agent
 */
export async function openSession(
	ctx: Ctx,
	agentId: string,
	input: OpenRuntimeSession,
	origin: string,
): Promise<OpenedRuntimeSession> {
	const call = input.call_id === null ? undefined : await getLiveCall(ctx, agentId, input.call_id);
	const isPinned = ctx.actor.type === "agent_key" && ctx.actor.agentVersion !== null;
	const agent =
		call && !isPinned
			? await loadAgentVersion(ctx, agentId, call.agentVersion)
			: await loadAgentInForce(ctx, agentId);
	assertActive(agent);
	const greeting = greetingFor(agent.config, call);
	const templates = { greeting, system_prompt: agent.config.system_prompt };
	const { texts, missing, unreadable } = await resolveTexts(ctx, agent.config, templates, input.variables);
	if (missing.size > 0) throw missingVariables(missing);
	const token = createRuntimeToken();
	const now = ctx.clock();
	const { actor } = ctx;
	const row: RuntimeSessionRow = {
		id: newId(),
		organisationId: actor.organisation.id,
		...{ agentId, agentVersion: agent.version, hash: await hashKey(token) },
		...{ variables: input.variables, caller: input.caller, callId: input.call_id, mocks: input.mocks },
		apiKeyId: "keyId" in actor ? actor.keyId : null,
		createdBy: actor.id,
		createdAt: now.toISOString(),
		expiresAt: new Date(now.getTime() + input.ttl_seconds * 1000).toISOString(),
		endedAt: null,
	};
	await insertSession(ctx, row);
	const agentUrl = `${origin}/v1/agents/${agentId}`;
	return {
		...{ session_id: row.id, token, expires_at: row.expiresAt, agent_version: agent.version },
		...texts,
		models: agent.config.models,
		...{ mcp_url: `${agentUrl}/mcp`, tools_url: `${agentUrl}/tools` },
		warnings: unreadable.map(
			(name) =>
				`{{$${name}}} stays as it is: ${name} is a secret or does not exist. Use a variable of the vault.`,
		),
	};
}

/** The batch asserts that the agent is live: sessions of a deleted agent have been ended. */
async function insertSession(ctx: Ctx, row: RuntimeSessionRow): Promise<void> {
	try {
		await ctx.db.batch([
			assertThat(ctx.db, agentIsLive(ctx, row.agentId), "AGENT_DELETED"),
			ctx.db.insert(runtimeSessions).values(row),
		]);
	} catch (error) {
		throw failedAssertion(error) === "AGENT_DELETED" ? notFound("Agent", row.agentId) : error;
	}
}

async function getLiveCall(ctx: Ctx, agentId: string, callId: string): Promise<CallRow> {
	const [call] = await ctx.db
		.select({ agentVersion: calls.agentVersion, direction: calls.direction, endedAt: calls.endedAt })
		.from(calls)
		.where(
			and(
				eq(calls.organisationId, ctx.actor.organisation.id),
				eq(calls.agentId, agentId),
				eq(calls.id, callId),
			),
		);
	if (!call) throw invalid([{ path: "call_id", message: `The agent has no call ${callId}` }]);
	if (call.endedAt !== null)
		throw invalid([{ path: "call_id", message: `The call ended at ${call.endedAt}` }]);
	return call;
}

function greetingFor(config: AgentConfig, call: CallRow | undefined): string {
	const own = { inbound: config.inbound_greeting, outbound: config.outbound_greeting };
	return (call && own[call.direction]) ?? config.greeting;
}

const missingVariables = (missing: ReadonlyMap<string, readonly string[]>): ApiError =>
	invalid(
		[...missing].map(([name, users]) => ({
			path: `variables.${name}`,
			message: `Is required: ${users.join(" and ")} of the agent ${users.length > 1 ? "use" : "uses"} {{${name}}}, and template_defaults has no value`,
		})),
	);

const invalid = (fields: FieldError[]): ApiError =>
	new ApiError("VALIDATION_FAILED", `${fields[0]?.path}: ${fields[0]?.message}`, { fields });

/** Lists the sessions of an agent, newest first. Those of a deleted agent stay readable. @throws ApiError RESOURCE_NOT_FOUND */
export async function listSessions(ctx: Ctx, agentId: string, query: RuntimeSessionQuery) {
	await getAgentName(ctx, agentId);
	const rows = await ctx.db
		.select()
		.from(runtimeSessions)
		.where(
			and(
				isOfAgent(ctx, agentId),
				query.call_id === undefined ? undefined : eq(runtimeSessions.callId, query.call_id),
				query.cursor === undefined ? undefined : lt(runtimeSessions.id, query.cursor),
			),
		)
		.orderBy(desc(runtimeSessions.id))
		.limit(query.page_size + 1);
	const items = rows.slice(0, query.page_size).map((row) => toSession(ctx, row));
	const next_cursor = rows.length > items.length ? (items.at(-1)?.session_id ?? null) : null;
	return { items, meta: { page_size: query.page_size, next_cursor } };
}

/** @throws ApiError RESOURCE_NOT_FOUND */
export async function getSession(ctx: Ctx, agentId: string, sessionId: string): Promise<RuntimeSession> {
	const [row] = await ctx.db
		.select()
		.from(runtimeSessions)
		.where(and(isOfAgent(ctx, agentId), eq(runtimeSessions.id, sessionId)));
	if (!row) throw notFound("Session", sessionId);
	return toSession(ctx, row);
}

/**
 * Ends a session. A session token can end its own session only.
 * @throws ApiError RESOURCE_NOT_FOUND, also for one that has ended; FORBIDDEN
 */
export async function endSession(ctx: Ctx, agentId: string, sessionId: string): Promise<void> {
	const { actor } = ctx;
	if (actor.type === "runtime_session" && actor.session.id !== sessionId)
		throw new ApiError("FORBIDDEN", "A session token can end only its own session");
	const now = ctx.clock().toISOString();
	const [ended] = await ctx.db
		.update(runtimeSessions)
		.set({ endedAt: now })
		.where(and(isOfAgent(ctx, agentId), eq(runtimeSessions.id, sessionId), isNull(runtimeSessions.endedAt)))
		.returning({ hash: runtimeSessions.hash });
	if (!ended) throw notFound("Session", sessionId);
	forgetRuntimeSession(ended.hash);
}

const isOfAgent = (ctx: Ctx, agentId: string) =>
	and(eq(runtimeSessions.organisationId, ctx.actor.organisation.id), eq(runtimeSessions.agentId, agentId));

function toSession(ctx: Ctx, row: RuntimeSessionRow): RuntimeSession {
	const isExpired = row.expiresAt <= ctx.clock().toISOString();
	return {
		...{ session_id: row.id, agent_id: row.agentId, agent_version: row.agentVersion },
		status: row.endedAt !== null ? "ended" : isExpired ? "expired" : "open",
		...{ variables: row.variables, caller: row.caller, call_id: row.callId, mocks: row.mocks },
		...{ created_by: row.createdBy, created_at: row.createdAt },
		...{ expires_at: row.expiresAt, ended_at: row.endedAt },
	};
}

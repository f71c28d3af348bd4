import { KeyCache } from "@parley/auth/key-cache";
import type { RuntimeSession } from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../../context.ts";
import { readAgentInForce } from "./read-agent-in-force.ts";
import type { AgentInForce } from "./runtime-attachment.ts";

/** A change of the agent takes effect within ten seconds. An entry lives for less, to leave room for the read. */
const TTL_MS = 8_000;
const MAX_AGENTS = 300;

type Versions = Map<number | null, AgentInForce>;
const isolateCache = new KeyCache<Versions>(MAX_AGENTS, TTL_MS);

/**
 * Returns an agent with its version in force. Reads D1 once, and not at all if this isolate has read the agent within the last
 * seconds.
 * @param session session whose version answers. Default: the session of the caller's token, if it is one.
 * @throws ApiError RESOURCE_NOT_FOUND for an unknown or deleted agent, or a pinned version that does not exist.
 */
export async function loadAgentInForce(
	ctx: Ctx,
	agentId: string,
	session: RuntimeSession | undefined = sessionOf(ctx),
): Promise<AgentInForce> {
	return loadAgentVersion(ctx, agentId, session?.agentVersion ?? pinnedVersion(ctx));
}

/**
 * Returns an agent with a version, as `loadAgentInForce` does.
 * @param version null for the current version
 * @throws ApiError RESOURCE_NOT_FOUND
 */
export async function loadAgentVersion(
	ctx: Ctx,
	agentId: string,
	version: number | null,
): Promise<AgentInForce> {
	const key = cacheKey(ctx.actor.organisation.id, agentId);
	const now = ctx.clock().getTime();
	const held = isolateCache.get(key, now)?.get(version);
	if (held) return held;
	const agent = await readAgentInForce(ctx, agentId, version);
	const versions = isolateCache.get(key, now) ?? startVersions(key, now);
	versions.set(version, agent);
	return agent;
}

/** Drops an agent from this isolate's cache, so that a change takes effect here at once. */
export const forgetAgent = (organisationId: string, agentId: string): void =>
	isolateCache.delete(cacheKey(organisationId, agentId));

/** @throws ApiError AGENT_INACTIVE */
export function assertActive({ name, status }: Pick<AgentInForce, "name" | "status">): void {
	if (status === "active") return;
	throw new ApiError("AGENT_INACTIVE", `The agent ${name} is inactive. Set its status to active first.`);
}

/** Returns the session of the caller's token; undefined for any other credential. */
export const sessionOf = ({ actor }: Pick<Ctx, "actor">): RuntimeSession | undefined =>
	actor.type === "runtime_session" ? actor.session : undefined;

const pinnedVersion = ({ actor }: Ctx): number | null =>
	actor.type === "agent_key" ? actor.agentVersion : null;

const cacheKey = (organisationId: string, agentId: string): string => `${organisationId} ${agentId}`;

/** Versions that are read later share the end of the first, so that no entry is older than it seems. */
function startVersions(key: string, now: number): Versions {
	const versions: Versions = new Map();
	isolateCache.set(key, versions, now);
	return versions;
}

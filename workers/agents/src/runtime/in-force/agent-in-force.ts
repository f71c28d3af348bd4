import type { RuntimeSession } from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../../context.ts";
import { AgentCache } from "./agent-cache.ts";
import { readAgentInForce } from "./read-agent-in-force.ts";
import type { AgentInForce } from "./runtime-attachment.ts";

/** A change of the agent takes effect within ten seconds. An entry lives for less, to leave room for the read. */
const TTL_MS = 8_000;
/** Characters of JSON. An isolate has 128 MB, and vendors' forms of the tools come on top. */
const MAX_SIZE = 8_000_000;

const isolateCache = new AgentCache(TTL_MS, MAX_SIZE);

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
	const key = `${prefixOf(ctx.actor.organisation.id, agentId)}${version}`;
	const now = ctx.clock().getTime();
	const held = isolateCache.get(key, now);
	if (held) return held;
	const agent = await readAgentInForce(ctx, agentId, version);
	isolateCache.set(key, agent, now);
	return agent;
}

/** Drops an agent from this isolate's cache, so that a change takes effect here at once. */
export const forgetAgent = (organisationId: string, agentId: string): void =>
	isolateCache.removeAll(prefixOf(organisationId, agentId));

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

const prefixOf = (organisationId: string, agentId: string): string => `${organisationId} ${agentId} `;

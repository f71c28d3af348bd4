import type { RuntimeSession } from "@parley/contracts/internal/agent-runtime-rpc";
import type { KeyFamily } from "@parley/contracts/platform/keys";
import type { Role } from "@parley/contracts/shared/roles";
import type { Scope } from "@parley/contracts/shared/scopes";
import type { Features } from "@parley/db/platform/organisations";

type Common = {
	/** Identity in audit rows, in `created_by` and in rate limits: `api_key:<id>`, `user:<id>`, `system:<task>`. */
	id: string;
	label: string;
	scopes: ReadonlySet<Scope>;
	organisation: { id: string; name: string; tier: string; features: Features };
};

/** An API key of an organisation. */
export type ApiKeyActor = Common & {
	type: "api_key";
	keyId: string;
	family: KeyFamily;
	expiresAt: string | null;
};

/** A key of one agent; it reaches that agent's runtime API and MCP endpoint only. */
export type AgentKeyActor = Common & {
	type: "agent_key";
	keyId: string;
	agentId: string;
	/** Version of the agent that the key is pinned to; null for the current one. */
	agentVersion: number | null;
	expiresAt: string | null;
};

/** The holder of a session token: one live call or chat with one agent. */
export type RuntimeSessionActor = Common & {
	type: "runtime_session";
	agentId: string;
	session: RuntimeSession;
	/** API key or agent key that opened the session. */
	keyId: string | null;
	expiresAt: string;
};

/** A person who is signed in to the console in a browser, or an API key that was pasted there and stands for nobody. */
export type SessionActor = Common & {
	type: "session";
	sessionId: string;
	/** Null when the session has the rights of its API key. */
	userId: string | null;
	role: Role | null;
	/** API key that opened the session. */
	keyId: string | null;
	expiresAt: string;
};

/** A person who acts through an access token, such as an MCP client's. */
export type UserActor = Common & { type: "user"; userId: string; expiresAt: string | null };

/** Parley itself: queue consumers, alarms and schedules. It holds no scopes; its verbs check none. */
export type SystemActor = Common & { type: "system" };

/** Identity that makes a request or does a piece of work, in one organisation. */
export type Actor =
	| ApiKeyActor
	| AgentKeyActor
	| RuntimeSessionActor
	| SessionActor
	| UserActor
	| SystemActor;

/** Returns the only agent that an actor may use; undefined for one that is not bound to an agent. */
export const boundAgent = (actor: Actor): string | undefined =>
	actor.type === "agent_key" || actor.type === "runtime_session" ? actor.agentId : undefined;

/**
 * Returns the actor for work that Parley does by itself.
 * @param task name of the work in audit rows: `mcp` becomes `system:mcp`
 */
export function systemActor(task: string, organisationId: string): SystemActor {
	const organisation = { id: organisationId, name: "", tier: "", features: {} };
	return { type: "system", id: `system:${task}`, label: task, scopes: new Set(), organisation };
}

/** Returns what usage rows are counted under: the id of the API key, or the actor's id where no key stands for it. */
export const usageAccount = (actor: Actor): string =>
	(actor.type === "runtime_session" ? actor.keyId : /^api_key:(.+)$/.exec(actor.id)?.[1]) ?? actor.id;

/** Returns what rate limits are counted under: each session has a budget of its own. */
export const rateAccount = (actor: Actor): string =>
	actor.type === "session" ? `session:${actor.sessionId}` : actor.id;

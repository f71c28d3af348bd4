import type { Actor } from "@parley/context/actor";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Scope } from "@parley/contracts/shared/scopes";

const HOLDERS = {
	api_key: "This API key",
	agent_key: "This agent key",
	runtime_session: "This session token",
	session: "Your role",
	user: "This access token",
	system: "This task",
} as const satisfies Record<Actor["type"], string>;

/** @throws ApiError FORBIDDEN naming the scope that the actor lacks. */
export function requireScope(actor: Actor, scope: Scope): void {
	if (actor.scopes.has(scope)) return;
	throw new ApiError("FORBIDDEN", `${HOLDERS[actor.type]} lacks the scope ${scope}`);
}

import { type Actor, boundAgent } from "@parley/context/actor";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { RouteSpec } from "../route.ts";

const HOLDERS = { agent_key: "An agent key", runtime_session: "A session token" } as const;

/**
 * Keeps an actor that is bound to an agent to the runtime API of that agent: routes with the scope `runtime:use` whose path
 * names the agent. Routes without a scope are refused too.
 * @throws ApiError FORBIDDEN
 */
export function admitToAgent(
	actor: Actor,
	spec: Pick<RouteSpec, "access" | "path" | "refusesSessionTokens">,
	params: Readonly<Record<string, string | undefined>>,
): void {
	if (actor.type !== "agent_key" && actor.type !== "runtime_session") return;
	const holder = HOLDERS[actor.type];
	if (spec.access !== "runtime:use" || !spec.path.startsWith("/v1/agents/{agent_id}/"))
		throw new ApiError("FORBIDDEN", `${holder} can use only the runtime API of its agent`);
	if (params.agent_id?.toLowerCase() !== boundAgent(actor))
		throw new ApiError("FORBIDDEN", `${holder} can use only its own agent`);
	if (actor.type === "runtime_session" && spec.refusesSessionTokens)
		throw new ApiError("FORBIDDEN", "A session token cannot do this. Use an agent key or a consumer key.");
}

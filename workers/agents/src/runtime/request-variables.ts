import type { RuntimeVariables } from "@parley/contracts/internal/agent-runtime-rpc";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../context.ts";
import { sessionOf } from "./in-force/agent-in-force.ts";

/**
 * Returns the values of placeholders for a request: those of its session, or those that it brings without one.
 * @param given values in `X-Parley-Variables`
 * @throws ApiError VALIDATION_FAILED for a session's request that brings values
 */
export function variablesOf(ctx: Ctx, given: RuntimeVariables | undefined): RuntimeVariables {
	const session = sessionOf(ctx);
	if (!session) return given ?? {};
	if (given === undefined) return session.variables;
	const message = "The session has its own variables: leave the header out";
	throw new ApiError("VALIDATION_FAILED", `X-Parley-Variables: ${message}`, {
		fields: [{ path: "header.X-Parley-Variables", message }],
	});
}

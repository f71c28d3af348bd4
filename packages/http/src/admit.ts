import type { Actor } from "@parley/auth/actor";
import { type AuthContext, authenticate, requireScope } from "@parley/auth/authenticate";
import { ApiError } from "@parley/contracts/api-error";
import type { Context } from "hono";
import type { AppEnv, VerbContext } from "./context.ts";
import { countRequest } from "./count-requests.ts";
import type { BaseEnv, Plane } from "./plane.ts";
import { limitAddress, limitKey, shieldStorage } from "./rate-limit/rate-limit.ts";
import type { RouteSpec } from "./route.ts";

/**
 * Lets a request in: its key, its budget, its plane and its scope, in this order.
 * @returns who acts; undefined on an open route that was called without a key.
 * @throws ApiError AUTH_REQUIRED, RATE_LIMITED, FORBIDDEN
 */
export async function admit<E extends BaseEnv>(
	plane: Plane,
	spec: RouteSpec,
	c: Context<AppEnv<E>>,
	base: Omit<VerbContext<E>, "actor">,
): Promise<Actor | undefined> {
	const { headers } = c.req.raw;
	const limits = {
		...base,
		report: (state: AppEnv<E>["Variables"]["rateState"]) => c.set("rateState", state),
	};
	const key = plane.credential(headers);
	if (spec.access === "open" && key === undefined) {
		limitAddress(limits, headers);
		return undefined;
	}
	const auth = {
		...base,
		legacyKeysUntil: c.env.LEGACY_KEYS_UNTIL,
		beforeLookup: () => shieldStorage(limits, headers),
	};
	const actor = await identify(plane, auth, key).catch((error) => {
		if (error instanceof ApiError && error.code === "AUTH_REQUIRED") limitAddress(limits, headers);
		throw error;
	});
	countRequest(base, actor);
	await limitKey(limits, plane, spec, actor);
	plane.admit(actor, c.env as E & Record<string, unknown>, spec);
	if (spec.access !== "open" && spec.access !== "any-key") requireScope(actor, spec.access);
	c.set("actor", actor);
	return actor;
}

async function identify(plane: Plane, ctx: AuthContext, key: string | undefined): Promise<Actor> {
	if (key === undefined) throw new ApiError("AUTH_REQUIRED", plane.missingKey);
	return authenticate(ctx, key);
}

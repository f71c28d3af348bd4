import type { Authenticator } from "@parley/auth/authenticator";
import { requireScope } from "@parley/auth/require-scope";
import type { Actor } from "@parley/context/actor";
import type { VerbContext } from "@parley/context/verb-context";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { BaseEnv } from "../base-env.ts";
import { limitActor, limitAddress, shieldStorage } from "../rate-limit/rate-limit.ts";
import type { RouteSpec } from "../route.ts";
import { admitToAgent } from "./admit-to-agent.ts";
import { countRequest } from "./count-requests.ts";
import { knownActor } from "./known-actor.ts";
import type { Plane } from "./plane.ts";

/**
 * Admits a request: checks its credential, its budget, its plane and its scope, in this order.
 * @returns the actor; undefined on an open route that was called without a credential.
 * @throws ApiError AUTH_REQUIRED, RATE_LIMITED, FORBIDDEN
 */
export async function admit<E extends BaseEnv>(
	plane: Plane,
	spec: RouteSpec,
	c: Context<AppEnv<E>>,
	base: Omit<VerbContext<E>, "actor">,
): Promise<Actor | undefined> {
	const request = c.req.raw;
	const limits = {
		...base,
		report: (state: AppEnv<E>["Variables"]["rateState"]) => c.set("rateState", state),
	};
	const known = knownActor(request);
	const presented = known ? undefined : readCredential(plane, request);
	if (spec.access === "open" && !presented && !known) {
		limitAddress(limits, request.headers);
		return undefined;
	}
	const auth = {
		...base,
		legacyKeysUntil: c.env.LEGACY_KEYS_UNTIL,
		beforeLookup: () => shieldStorage(limits, request.headers),
	};
	const identify = async () => {
		if (known) return known;
		if (!presented) throw new ApiError("AUTH_REQUIRED", plane.missingCredential);
		return presented.authenticator.resolve(auth, presented.credential, request);
	};
	const actor = await identify().catch((error) => {
		if (error instanceof ApiError) limitAddress(limits, request.headers);
		// A browser sends its cookie everywhere, also to sign in again.
		if (spec.access === "open" && error instanceof ApiError && error.code === "SESSION_EXPIRED")
			return undefined;
		throw error;
	});
	if (!actor) return undefined;
	countRequest(base, actor);
	await limitActor(limits, plane, spec, actor);
	admitToAgent(actor, spec, c.req.param());
	plane.admit(actor, c.env as E & Record<string, unknown>, spec.access);
	if (spec.access !== "open" && spec.access !== "any-key") requireScope(actor, spec.access);
	c.set("actor", actor);
	return actor;
}

type Presented = { authenticator: Authenticator; credential: string };

function readCredential({ authenticators }: Plane, request: Request): Presented | undefined {
	for (const authenticator of authenticators) {
		const credential = authenticator.read(request);
		if (credential !== undefined) return { authenticator, credential };
	}
	return undefined;
}

import { type Actor, rateAccount } from "@parley/context/actor";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { BaseEnv } from "../base-env.ts";
import { logFault } from "../errors.ts";
import type { Plane } from "../planes/plane.ts";
import type { RouteSpec } from "../route.ts";
import { AddressLimiter, addressOf } from "./address-limit.ts";
import { drawForKey } from "./key-limit.ts";
import type { Draw } from "./lease.ts";
import { limitOf, type PolicyName, type RateState, rateClassOf, seconds } from "./limits.ts";

type Context = {
	env: BaseEnv;
	clock: () => Date;
	requestId: string;
	/** Takes how the caller stands, for the fields of whatever answer follows. */
	report: (state: RateState) => void;
};

const addresses = new AddressLimiter();

/**
 * Draws on the actor's budget for this kind of operation. When its account cannot be reached, the request passes.
 * @throws ApiError RATE_LIMITED
 */
export async function limitActor(ctx: Context, plane: Plane, spec: RouteSpec, actor: Actor): Promise<void> {
	const policy = rateClassOf(spec);
	const limit = limitOf(ctx.env, policy);
	if (limit === undefined) return;
	const name = rateAccount(actor);
	const account = ctx.env.LIMITER.getByName(name);
	const asking = {
		clock: ctx.clock,
		ask: async (ask: Parameters<typeof account.lease>[0]) => account.lease(ask),
	};
	try {
		enforce(ctx, policy, limit, await drawForKey(asking, name, policy, limit));
	} catch (error) {
		if (error instanceof ApiError) throw error;
		logFault(plane, "RATE_LIMIT_UNREACHABLE", error, ctx.requestId);
		ctx.report({ policy, limit, resetMs: 0 });
	}
}

/** Draws on the budget of the caller's address, for a request without a valid key. @throws ApiError RATE_LIMITED */
export function limitAddress(ctx: Context, headers: Headers): void {
	const limit = limitOf(ctx.env, "anonymous");
	if (limit === undefined) return;
	enforce(ctx, "anonymous", limit, addresses.draw(addressOf(headers), limit, ctx.clock().getTime()));
}

/** Stops an address that has spent its budget before storage is asked for its key. @throws ApiError RATE_LIMITED */
export function shieldStorage(ctx: Context, headers: Headers): void {
	const limit = limitOf(ctx.env, "anonymous");
	if (limit === undefined) return;
	const draw = addresses.peek(addressOf(headers), limit, ctx.clock().getTime());
	if (!draw.admitted) enforce(ctx, "anonymous", limit, draw);
}

/** How the caller's address stands, for answers that drew on nothing. */
export function addressState(env: BaseEnv, headers: Headers, now: number): RateState | undefined {
	const limit = limitOf(env, "anonymous");
	if (limit === undefined) return undefined;
	const { remaining, resetMs } = addresses.peek(addressOf(headers), limit, now);
	return { policy: "anonymous", limit, remaining, resetMs };
}

function enforce(ctx: Context, policy: PolicyName, limit: number, draw: Draw): void {
	ctx.report({ policy, limit, remaining: draw.remaining, resetMs: draw.resetMs });
	if (draw.admitted) return;
	const headers = { "retry-after": String(seconds(draw.resetMs)) };
	throw new ApiError("RATE_LIMITED", "Rate limit exceeded", { headers });
}

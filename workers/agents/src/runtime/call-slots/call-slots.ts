import { KeyCache } from "@parley/auth/key-cache";
import { logError } from "@parley/context/log";
import { ApiError } from "@parley/contracts/shared/api-error";
import type { Ctx } from "../../context.ts";
import type { CallLimiter } from "./call-limiter.ts";
import { applyGrant, decide, emptyPool, returnSlots, SLOT_LEASE_MS, type SlotPool } from "./slot-lease.ts";

const DEFAULT_CALLS_AT_ONCE = 32;
const RENEW_MS = SLOT_LEASE_MS / 3;
const RETRY_AFTER_SECONDS = 1;

const MAX_AGENTS = 5_000;
const POOL_LIFETIME_MS = 10 * 60_000;
const pools = new KeyCache<SlotPool>(MAX_AGENTS, POOL_LIFETIME_MS);
/** Name of this isolate. Made with the first request, because a worker may not draw random numbers while it loads. */
let isolate: string | undefined;

/**
 * Runs a call in one of the slots of its agent. Isolates lease slots from an object per agent, so that most calls need no
 * round trip. An object that cannot be reached refuses nobody.
 * @throws ApiError RATE_LIMITED when every slot is taken
 */
export async function withCallSlot<T>(ctx: Ctx, agentId: string, call: () => Promise<T>): Promise<T> {
	const key = `${ctx.actor.organisation.id}/${agentId}`;
	const now = Date.now();
	const pool = pools.get(key, now) ?? emptyPool();
	pools.set(key, pool, now);
	await acquire(ctx, key, pool);
	const timer = setInterval(() => {
		const isRenewed = pool.until - Date.now() > SLOT_LEASE_MS - RENEW_MS / 2;
		if (!isRenewed) void ask(ctx, key, pool, pool.used + pool.asking).catch(() => undefined);
	}, RENEW_MS);
	try {
		return await call();
	} finally {
		clearInterval(timer);
		pool.used--;
		const want = returnSlots(pool);
		if (want !== undefined) ctx.defer(ask(ctx, key, pool, want));
	}
}

async function acquire(ctx: Ctx, key: string, pool: SlotPool): Promise<void> {
	const limit = limitOf(ctx);
	switch (decide(pool, limit, Date.now())) {
		case "refuse":
			throw refusal(limit);
		case "take":
			pool.used++;
			return;
		case "ask":
			pool.asking++;
			try {
				await ask(ctx, key, pool, pool.used + pool.asking);
				if (pool.used >= pool.slots) throw refusal(limit);
			} catch (error) {
				if (error instanceof ApiError) throw error;
				logError("CALL_LIMITER_AWAY", error, { request_id: ctx.requestId });
			} finally {
				pool.asking--;
			}
			pool.used++;
	}
}

async function ask(ctx: Ctx, key: string, pool: SlotPool, want: number): Promise<void> {
	isolate ??= crypto.randomUUID();
	const askedAt = Date.now();
	const limiter = (ctx.env.CALL_LIMITER as DurableObjectNamespace<CallLimiter>).getByName(key);
	pool.asked++;
	const asked = { holder: isolate, ask: pool.asked, want, limit: limitOf(ctx) };
	applyGrant(pool, await limiter.lease(asked), askedAt);
}

function refusal(limit: number): ApiError {
	const message = `The agent has ${limit} tool calls under way, as many as it may. Try again.`;
	return new ApiError("RATE_LIMITED", message, { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
}

const limitOf = ({ env }: Ctx): number => Number(env.RUNTIME_CALLS_AT_ONCE) || DEFAULT_CALLS_AT_ONCE;

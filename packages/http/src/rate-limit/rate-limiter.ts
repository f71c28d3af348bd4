import { DurableObject } from "cloudflare:workers";
import { type Ask, grantLease, type Lease, type Pool } from "./lease.ts";

/**
 * The account of one actor's requests to one plane, named by the actor's id. Each worker with routes exports the class and
 * binds it as `LIMITER`. What is given away is written down before the answer leaves: an eviction opens no second budget.
 */
export class RateLimiter extends DurableObject {
	lease(ask: Ask): Lease {
		const { pool, lease } = grantLease(this.ctx.storage.kv.get<Pool>(ask.rateClass), ask, Date.now());
		this.ctx.storage.kv.put(ask.rateClass, pool);
		return lease;
	}
}

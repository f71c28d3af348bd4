import { DurableObject } from "cloudflare:workers";
import { grantSlots, type SlotAsk, type SlotGrant, type SlotTable } from "./slot-lease.ts";

/**
 * Slots of one agent's tool calls, named by organisation and agent. A grant is written down before the answer leaves, so
 * that an eviction gives nothing away twice.
 */
export class CallLimiter extends DurableObject {
	lease(ask: SlotAsk): SlotGrant {
		const { table, grant } = grantSlots(this.ctx.storage.kv.get<SlotTable>("table") ?? {}, ask, Date.now());
		this.ctx.storage.kv.put("table", table);
		return { slots: grant.slots, ask: grant.ask };
	}
}

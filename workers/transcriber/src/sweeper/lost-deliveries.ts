import { deliveries } from "@parley/db/deliveries";
import { and, asc, isNotNull, lte, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { sendDeliveries } from "../webhooks/send-deliveries.ts";

const MAX_DELIVERIES = 500;
/** By then a message that only waits in a long queue has had its time. */
const LOOK_AGAIN_MS = 300_000;

/** Sends deliveries, of all organisations, whose message or whose sender did not come through. */
export async function sendLostDeliveries(ctx: Ctx): Promise<void> {
	const { db, clock } = ctx;
	const now = clock();
	const isLost = and(isNotNull(deliveries.wakeAt), lte(deliveries.wakeAt, now.toISOString()));
	const lost = await db
		.select({ organisation_id: deliveries.organisationId, delivery_id: deliveries.id })
		.from(deliveries)
		.where(isLost)
		.orderBy(asc(deliveries.wakeAt))
		.limit(MAX_DELIVERIES);
	if (lost.length === 0) return;
	await sendDeliveries(ctx, lost);
	const keys = JSON.stringify(lost.map((ref) => [ref.organisation_id, ref.delivery_id]));
	const sent = sql`(${deliveries.organisationId}, ${deliveries.id}) in
		(select value ->> 0, value ->> 1 from json_each(${keys}))`;
	await db
		.update(deliveries)
		.set({ wakeAt: new Date(now.getTime() + LOOK_AGAIN_MS).toISOString() })
		.where(and(sent, isLost));
}

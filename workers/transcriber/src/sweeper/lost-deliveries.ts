import { deliveries } from "@parley/db/batch/deliveries";
import { and, asc, isNotNull, lte, sql } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { sendDeliveries } from "../messages/send-deliveries.ts";

const MAX_DELIVERIES = 500;
/** Time after which a message counts as lost again. */
const POLL_MS = 300_000;

/** Resends the messages of deliveries, of all organisations, whose message or sender was lost. */
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
		.set({ wakeAt: new Date(now.getTime() + POLL_MS).toISOString() })
		.where(and(sent, isLost));
}

import { deliveriesOf, dueNow } from "@parley/batch/deliveries";
import { isTerminal } from "@parley/batch/job-predicates";
import type { Delivery, DeliveryPage, ListDeliveriesQuery } from "@parley/contracts/batch/webhooks";
import { ApiError, notFound } from "@parley/contracts/shared/api-error";
import { pageMeta } from "@parley/contracts/shared/common";
import { type DeliveryRow, deliveries } from "@parley/db/batch/deliveries";
import type { JobRow } from "@parley/db/batch/jobs";
import { and, asc, count, eq, inArray } from "drizzle-orm";
import type { Ctx } from "../context.ts";
import { readJob } from "../find-job.ts";
import { deferDeliveries } from "./notifications.ts";

export async function listDeliveries(
	ctx: Ctx,
	jobId: string,
	{ page, page_size }: ListDeliveriesQuery,
): Promise<DeliveryPage> {
	const ofJob = deliveriesOf(await readJob(ctx, jobId));
	const [rows, [counted]] = await ctx.db.batch([
		ctx.db
			.select()
			.from(deliveries)
			.where(ofJob)
			.orderBy(asc(deliveries.position))
			.limit(page_size)
			.offset((page - 1) * page_size),
		ctx.db.select({ total: count() }).from(deliveries).where(ofJob),
	]);
	return { items: rows.map(toDelivery), meta: pageMeta(page, page_size, counted?.total ?? 0) };
}

/**
 * Makes a delivery due once more. Of several calls at once one does.
 * @throws ApiError RESOURCE_NOT_FOUND, or JOB_CONFLICT while it is pending or its job has not ended.
 */
export async function redeliver(ctx: Ctx, jobId: string, deliveryId: string): Promise<Delivery> {
	const { db, clock } = ctx;
	const job = await readJob(ctx, jobId);
	const own = and(deliveriesOf(job), eq(deliveries.id, deliveryId));
	const [row] = await db
		.update(deliveries)
		.set({ ...dueNow(clock()), triesLeft: 1 })
		.where(and(own, inArray(deliveries.status, ["delivered", "failed"])))
		.returning();
	if (!row) {
		const [found] = await db.select().from(deliveries).where(own);
		throw whyNot(job, deliveryId, found);
	}
	deferDeliveries(ctx, [{ organisation_id: row.organisationId, delivery_id: row.id }]);
	return toDelivery(row);
}

function whyNot({ jobId, status }: JobRow, id: string, delivery: DeliveryRow | undefined): ApiError {
	if (!delivery) return notFound("Delivery", id);
	const reason = isTerminal(status)
		? `Delivery ${id} is pending: wait until its attempts have ended`
		: `Job ${jobId} has not ended (status ${status}), so there is nothing to deliver yet`;
	return new ApiError("JOB_CONFLICT", reason);
}

/** A delivery as callers see it; of its headers nothing, the job's record names them. */
const toDelivery = (row: DeliveryRow): Delivery => ({
	id: row.id,
	job_id: row.jobId,
	url: row.url,
	method: row.method,
	contents: row.contents,
	event: row.event,
	status: row.status,
	attempts: row.attempts,
	last_attempt: row.attempts.at(-1) ?? null,
	next_attempt_at: row.dueAt,
	delivered_at: row.deliveredAt,
	created_at: row.createdAt,
});

import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import type { DeliverWebhook } from "@parley/contracts/internal/queue-messages";
import { type DeliveryRow, deliveries } from "@parley/db/batch/deliveries";
import type { JobRow } from "@parley/db/batch/jobs";
import { newId } from "@parley/db/id";
import { sealHeaders } from "@parley/webhooks/sealed-headers";
import { ensureSigningSecret, openSigningSecrets } from "@parley/webhooks/signing-secrets";
import { and, eq } from "drizzle-orm";
import { inject } from "vitest";
import { consumeWebhooks } from "../src/webhooks/consume-webhooks.ts";
import type { Received } from "./hook-server.ts";
import { type createPipeline, db } from "./pipeline.ts";

type Pipeline = ReturnType<typeof createPipeline>;

/** A receiver of webhooks of a test's own; see the server for its answers. */
export function createHook(answers = "200") {
	const id = newId();
	return {
		url: `${inject("hooks")}/h/${id}/${answers}`,
		seen: async (): Promise<Received[]> => (await fetch(`${inject("hooks")}/seen/${id}`)).json(),
	};
}

/** Lets the pipeline reach loopback, where the receivers are. */
export function withLoopback(pipeline: Pipeline): Pipeline {
	pipeline.ctx.env = { ...pipeline.ctx.env, EGRESS_ALLOW_LOOPBACK: "true" };
	return pipeline;
}

/** A waiting delivery as submission leaves it, and the organisation's first secret. */
export async function insertDelivery(
	{ ctx }: Pipeline,
	{ organisationId, jobId }: JobRow,
	{ authHeaders = [], ...row }: Partial<DeliveryRow> & { url: string; authHeaders?: string[] },
): Promise<DeliveryRow> {
	const position = 0;
	await ensureSigningSecret(ctx, { organisationId, createdBy: "test" });
	const [inserted] = await db
		.insert(deliveries)
		.values({
			...{ organisationId, jobId, position, id: newId(), method: "post", contents: ["jobinfo"] },
			sealedHeaders: await sealHeaders(ctx, { organisationId, jobId, position }, authHeaders),
			...{ status: "waiting", attempts: [], createdAt: new Date().toISOString() },
			...row,
		})
		.returning();
	if (!inserted) throw new Error("The delivery was not inserted");
	return inserted;
}

export async function readDelivery({ organisationId, id }: DeliveryRow): Promise<DeliveryRow> {
	const [row] = await db
		.select()
		.from(deliveries)
		.where(and(eq(deliveries.organisationId, organisationId), eq(deliveries.id, id)));
	if (!row) throw new Error("The delivery is gone");
	return row;
}

export const messageOf = ({ organisationId, id }: DeliveryRow): DeliverWebhook => ({
	type: "DeliverWebhook",
	organisation_id: organisationId,
	delivery_id: id,
});

/** Delivers messages of the webhook queue as one batch. @returns what the queue is told of them. */
export async function deliverHooks({ ctx }: Pipeline, bodies: DeliverWebhook[]) {
	const messages = bodies.map((body, index) => ({
		...{ id: String(index), timestamp: new Date(), attempts: 1 },
		body,
	}));
	const batch = createMessageBatch("parley-webhooks", messages);
	const sending: Promise<void>[] = [];
	await consumeWebhooks(ctx, batch, (promise) => sending.push(promise));
	await Promise.all(sending);
	return getQueueResult(batch, createExecutionContext());
}

/** Delivers what was queued, whatever its delay, after so much time. */
export async function deliverQueued(pipeline: Pipeline, afterMs = 0) {
	pipeline.skip(afterMs);
	await deliverHooks(
		pipeline,
		pipeline.webhooks.splice(0).map(({ body }) => body),
	);
}

export const secretsOf = ({ ctx }: Pipeline, { organisationId }: { organisationId: string }) =>
	openSigningSecrets(ctx, organisationId);

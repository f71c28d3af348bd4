import { createExecutionContext, createScheduledController } from "cloudflare:test";
import { endOfJob } from "@parley/batch/job-end";
import { chunksOf } from "@parley/batch/job-predicates";
import { STACK_STARTED } from "@parley/contracts/internal/crons";
import { sandboxSlots } from "@parley/db/agents/sandbox-slots";
import { deliveries } from "@parley/db/batch/deliveries";
import { jobChunks } from "@parley/db/batch/job-chunks";
import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { outside } from "../../test/engine.ts";
import { insertDelivery } from "../../test/hooks.ts";
import { createPipeline, db, insertJob, read, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";
import worker from "../worker.ts";
import { releaseLeases } from "./release-leases.ts";
import { sweep } from "./sweep.ts";

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
const heldByDead = () => ({ leaseToken: "of-the-dead", leaseUntil: inSeconds(25) });

async function start({ ctx, drain }: ReturnType<typeof createPipeline>) {
	await releaseLeases(ctx);
	await sweep(ctx);
	await drain();
}

test("the first run after a start resends what dead workers held, however long its next resend would have waited", async () => {
	const pipeline = createPipeline(outside());
	const held = await insertJob({ audio: wav(3), status: "IN_PROGRESS", claims: 1, ...heldByDead() });
	const waiting = await insertJob({ audio: wav(3), pushes: 4, wakeAt: inSeconds(250) });
	const chunked = await insertJob({ audio: wav(3) });
	await pipeline.deliver([startMessage(chunked)]);
	pipeline.sent.splice(0);
	await db
		.update(jobChunks)
		.set({ attempts: 1, ...heldByDead() })
		.where(chunksOf(chunked));
	await start(pipeline);
	for (const row of [held, waiting, chunked]) expect((await read(row)).status).toBe("DONE");
});

test("a minute's cron resends none of that", async () => {
	const pipeline = createPipeline(outside());
	const row = await insertJob({ audio: wav(3), status: "IN_PROGRESS", claims: 1, ...heldByDead() });
	await sweep(pipeline.ctx);
	await pipeline.drain();
	expect((await read(row)).status).toBe("IN_PROGRESS");
});

test("what was begun several times may be what crashes the worker, so it waits for its time", async () => {
	const pipeline = createPipeline(outside());
	const row = await insertJob({ audio: wav(3), status: "IN_PROGRESS", claims: 4, ...heldByDead() });
	await start(pipeline);
	expect(await read(row)).toMatchObject({ status: "IN_PROGRESS", leaseToken: "of-the-dead" });
});

test("the retention of an ended job goes on", async () => {
	const pipeline = createPipeline(outside());
	const row = await insertJob({ audio: wav(3), status: "DONE", ...endOfJob(new Date(), 7) });
	await start(pipeline);
	expect(await read(row)).toEqual(row);
});

test("a webhook whose sender died is sent, and one that is due later keeps its time", async () => {
	const pipeline = createPipeline(outside());
	const job = await insertJob({ status: "DONE", ...endOfJob(new Date(), 7) });
	const due = (seconds: number) => ({ dueAt: inSeconds(seconds), wakeAt: inSeconds(seconds + 60) });
	const sending = await insertDelivery(pipeline, job, {
		url: "https://hook.example/",
		status: "pending",
		...due(-5),
		...heldByDead(),
	});
	const later = await insertDelivery(pipeline, job, {
		url: "https://hook.example/",
		status: "pending",
		position: 1,
		...due(600),
	});
	await start(pipeline);
	const sent = pipeline.webhooks.map(({ body }) => body.delivery_id);
	expect(sent).toContain(sending.id);
	expect(sent).not.toContain(later.id);
	const [kept] = await db.select().from(deliveries).where(eq(deliveries.id, later.id));
	expect(kept).toMatchObject({ dueAt: later.dueAt, wakeAt: later.dueAt });
});

test("the places in the sandbox that dead runs had are free", async () => {
	const { organisationId } = await insertJob();
	await db.insert(sandboxSlots).values({ organisationId, id: "of-the-dead", expiresAt: inSeconds(25) });
	await releaseLeases(createPipeline().ctx);
	const places = await db
		.select()
		.from(sandboxSlots)
		.where(and(eq(sandboxSlots.organisationId, organisationId)));
	expect(places).toEqual([]);
});

test("only the cron of a started stack releases what is held", async () => {
	const pipeline = createPipeline();
	const row = await insertJob({ audio: wav(3), status: "IN_PROGRESS", claims: 1, ...heldByDead() });
	const run = (cron: string) =>
		worker.scheduled(
			createScheduledController({ cron, scheduledTime: new Date() }),
			pipeline.ctx.env,
			createExecutionContext(),
		);
	await run("* * * * *");
	expect((await read(row)).leaseToken).toBe("of-the-dead");
	await run(STACK_STARTED);
	expect((await read(row)).leaseToken).not.toBe("of-the-dead");
});

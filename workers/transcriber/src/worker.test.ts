import {
	createExecutionContext,
	createScheduledController,
	env,
	waitOnExecutionContext,
} from "cloudflare:test";
import { releaseDeliveries } from "@parley/batch/deliveries";
import { endOfJob } from "@parley/batch/job-end";
import { afterEach, expect, test, vi } from "vitest";
import { outside, verboseJson } from "../test/engine.ts";
import { insertDelivery, messageOf } from "../test/hooks.ts";
import { createPipeline, fetchMessage, insertJob, read, startMessage } from "../test/pipeline.ts";
import { wav } from "../test/wav.ts";
import worker from "./worker.ts";

afterEach(() => void vi.restoreAllMocks());

test("over the real queue a job comes through, also when the engine fails at first", async () => {
	const world = outside({}, () => new Response("busy", { status: 503 }), verboseJson);
	vi.spyOn(globalThis, "fetch").mockImplementation(world.fetch);
	const row = await insertJob({ audio: wav(3) });
	await env.TRANSCRIPTION.send(startMessage(row));
	await expect.poll(async () => (await read(row)).status, { timeout: 20_000, interval: 100 }).toBe("DONE");
	expect(world.engineCalls).toBe(2);
}, 30_000);

test("a host that never answers keeps no other job waiting", async () => {
	const silent = () => new Promise<Response>(() => undefined);
	vi.spyOn(globalThis, "fetch").mockImplementation(outside({ "silent.example": silent }).fetch);
	const stuck = await insertJob({ inputUrl: "https://silent.example/a.wav" });
	await env.INPUTS.send(fetchMessage(stuck));
	await expect.poll(async () => (await read(stuck)).status, { timeout: 20_000 }).toBe("IN_PROGRESS");
	const row = await insertJob({ audio: wav(3) });
	await env.TRANSCRIPTION.send(startMessage(row));
	await expect.poll(async () => (await read(row)).status, { timeout: 20_000, interval: 100 }).toBe("DONE");
	// Nobody has given up on it meanwhile.
	expect((await read(stuck)).leaseUntil).not.toBeNull();
}, 45_000);

test("receivers that never answer keep no others' webhooks waiting", async () => {
	const silent = () => new Promise<Response>(() => undefined);
	const told = vi.fn(() => new Response());
	const world = outside({ "silent.example": silent, "hook.example": told });
	vi.spyOn(globalThis, "fetch").mockImplementation(world.fetch);
	const pipeline = createPipeline();
	async function tell(url: string, times: number) {
		const job = await insertJob({ status: "DONE", ...endOfJob(new Date(), 7) });
		for (let time = 0; time < times; time++) {
			const waiting = await insertDelivery(pipeline, job, { url });
			pipeline.webhooks.push({ body: messageOf(waiting) });
		}
		await releaseDeliveries(pipeline.ctx.db, job, "DONE", new Date());
		await env.WEBHOOKS.sendBatch(pipeline.webhooks.splice(0));
	}
	await tell("https://silent.example/", 40);
	await tell("https://hook.example/", 1);
	await expect.poll(() => told.mock.calls.length, { timeout: 12_000, interval: 100 }).toBe(1);
}, 30_000);

test("the cron sends what nobody has sent", async () => {
	vi.spyOn(globalThis, "fetch").mockImplementation(outside().fetch);
	const row = await insertJob({ audio: wav(3), wakeAt: new Date(Date.now() - 1000).toISOString() });
	const ctx = createExecutionContext();
	await worker.scheduled(createScheduledController({ cron: "* * * * *" }), env as Env, ctx);
	await waitOnExecutionContext(ctx);
	await expect.poll(async () => (await read(row)).status, { timeout: 20_000, interval: 100 }).toBe("DONE");
}, 30_000);

test("it answers no requests", () => {
	expect(worker.fetch().status).toBe(404);
});

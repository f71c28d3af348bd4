// `pnpm test:faults`: a hundred jobs, once in peace; then with an engine and a host that fail, queues that deliver everything
// twice, and five power cuts. Both runs must come to the same: nothing lost, nothing twice, nothing left behind.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { sleep } from "@parley/dev-stack/processes/processes";
import { root } from "@parley/dev-stack/settings/configs";
import { freePort, type Stack, startStack } from "@parley/dev-stack/stack";
import { s3ClientOf } from "@parley/dev-stack/state/s3-client";
import { type Client, startClient } from "../e2e/faults/client.ts";
import { startFlakyEngine } from "../e2e/faults/flaky-engine.ts";
import { startFlakyHost } from "../e2e/faults/flaky-host.ts";
import { HOSTED, hundredJobs, type TestJob } from "../e2e/faults/jobs.ts";
import { startReceiver } from "../e2e/faults/receiver.ts";

const SEED = Number(process.env.SEED ?? 20_261_121);
const CUTS = 5;
const SWEEP_MS = 5000;
const RUN_WITHIN_MS = 20 * 60_000;
const ENDED = ["DONE", "FAILED", "CANCELLED"];
const FORMATS = ["json", "txt", "srt", "vtt"] as const;
const TWICE = { transcriber: join(root, "workers/transcriber/test/deliver-twice.ts") };

type Delivery = { id: string; status: string; attempts: { status_code: number | null }[] };
type Outcome = { status: string; reason: string | null; outputs: Record<string, string> };
type Run = { outcomes: Map<string, Outcome>; audioSeconds: number; seconds: number };

const engine = await startFlakyEngine(SEED);
const host = await startFlakyHost(SEED + 1, HOSTED);
const complaints: string[] = [];
try {
	console.log(`Seed ${SEED}. The undisturbed run …`);
	const peace = await runJobs({ disturbed: false });
	console.log(`… took ${peace.seconds.toFixed(0)} s. The disturbed run …`);
	engine.setFlaky(true);
	host.setFlaky(true);
	const storm = await runJobs({ disturbed: true });
	console.log(
		`… took ${storm.seconds.toFixed(0)} s. Engine: ${JSON.stringify(engine.counts)}; host: ${JSON.stringify(host.counts)}`,
	);
	compare(peace, storm);
} catch (error) {
	complaints.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
	await engine.stop();
	await host.stop();
}
for (const complaint of complaints) console.error(`✗ ${complaint}`);
console.log(
	complaints.length === 0 ? "\n✓ Both runs came to the same." : `\n${complaints.length} complaints`,
);
process.exit(complaints.length === 0 ? 0 : 1);

async function runJobs({ disturbed }: { disturbed: boolean }): Promise<Run> {
	const startedAt = Date.now();
	const state = mkdtempSync(join(tmpdir(), "parley-faults-"));
	const receiver = await startReceiver();
	const options = {
		state,
		port: await freePort(),
		sweepEveryMs: SWEEP_MS,
		settings: engine.settings(disturbed ? 6 : 120),
		...(disturbed && { entries: TWICE }),
	};
	let stack: Stack = await startStack(options);
	const client = startClient(stack.baseUrl, stack.keys.batch_key);
	const jobs = hundredJobs(host, receiver.url);
	try {
		const submitting = submitAll(client, jobs);
		for (let cut = 1; disturbed && cut <= CUTS; cut++) {
			const ended = await untilEnded(client, (jobs.length * cut) / (CUTS + 1));
			await stack.kill();
			console.log(`  power cut ${cut} with ${ended} of ${jobs.length} jobs ended`);
			stack = await startStack(options);
		}
		await submitting;
		await untilEnded(client, jobs.length);
		await untilDelivered(client, jobs);
		const outcomes = new Map<string, Outcome>();
		for (const job of jobs) outcomes.set(job.id, await outcomeOf(client, job));
		await checkDeliveries(client, jobs, receiver.deliveries);
		await untilNoWork(stack, state);
		const used = await usageOf(stack);
		if (used.jobs !== jobs.length) complaints.push(`${used.jobs} jobs are counted as used`);
		return { outcomes, audioSeconds: used.audio_seconds, seconds: (Date.now() - startedAt) / 1000 };
	} finally {
		await stack.stop();
		await receiver.stop();
		rmSync(state, { recursive: true, force: true });
	}
}

/** Four at a time, over the whole run. */
async function submitAll(client: Client, jobs: TestJob[]): Promise<void> {
	const waiting = [...jobs];
	const submitter = async () => {
		for (let job = waiting.shift(); job; job = waiting.shift()) await job.submit(client);
	};
	await Promise.all(Array.from({ length: 4 }, submitter));
}

/** Waits until so many jobs have ended. @returns how many had. */
async function untilEnded(client: Client, wanted: number): Promise<number> {
	const deadline = Date.now() + RUN_WITHIN_MS;
	while (Date.now() < deadline) {
		const { body } = await client<{ meta: { total: number } }>(
			"GET",
			`/v1/batch/jobs?status=${ENDED.join(",")}&page_size=1`,
		);
		if (body.meta.total >= wanted) return body.meta.total;
		await sleep(250);
	}
	throw new Error(`fewer than ${wanted} jobs ended in time`);
}

async function untilDelivered(client: Client, jobs: TestJob[]): Promise<void> {
	const deadline = Date.now() + RUN_WITHIN_MS;
	for (const { id } of jobs) {
		for (;;) {
			const deliveries = await deliveriesOf(client, id);
			if (deliveries.length > 0 && deliveries.every(({ status }) => status === "delivered")) break;
			if (Date.now() > deadline) throw new Error(`${id}: ${JSON.stringify(deliveries)}`);
			await sleep(500);
		}
	}
}

async function deliveriesOf(client: Client, id: string): Promise<Delivery[]> {
	const { status, body } = await client<{ items: Delivery[] }>("GET", `/v1/batch/jobs/${id}/deliveries`);
	if (status !== 200) throw new Error(`the deliveries of ${id}: ${status}: ${JSON.stringify(body)}`);
	return body.items;
}

/** Each is marked as delivered once, was accepted by its receiver, and said the same each time. */
async function checkDeliveries(
	client: Client,
	jobs: TestJob[],
	received: Awaited<ReturnType<typeof startReceiver>>["deliveries"],
): Promise<void> {
	for (const { id } of jobs) {
		const deliveries = await deliveriesOf(client, id);
		if (deliveries.length !== 1) complaints.push(`${id} has ${deliveries.length} deliveries`);
		for (const delivery of deliveries) {
			const marks = delivery.attempts.filter(({ status_code }) => status_code !== null && status_code < 300);
			if (marks.length !== 1) complaints.push(`${id}: marked as delivered ${marks.length} times`);
			const seen = received.get(delivery.id);
			if (!seen?.accepted) complaints.push(`${id}: its webhook never arrived`);
			else if (seen.bodies.size !== 1) complaints.push(`${id}: its webhook said ${seen.bodies.size} things`);
		}
	}
}

async function usageOf({ baseUrl, keys }: Stack): Promise<{ jobs: number; audio_seconds: number }> {
	const headers = { authorization: `Bearer ${keys.api_key}` };
	const report = await (await fetch(`${baseUrl}/v1/usage`, { headers })).json();
	return (report as { total: { jobs: number; audio_seconds: number } }).total;
}

async function outcomeOf(client: Client, { id }: TestJob): Promise<Outcome> {
	const { body: job } = await client<{ status: string; error_message: string | null }>(
		"GET",
		`/v1/batch/jobs/${id}`,
	);
	const outputs: Record<string, string> = {};
	for (const format of job.status === "DONE" ? FORMATS : []) {
		const { body } = await client<unknown>("GET", `/v1/batch/jobs/${id}/transcript?format=${format}`);
		// When it was written differs from run to run.
		outputs[format] = JSON.stringify(body, (key, value) => (key === "created_at" ? "" : value));
	}
	return { status: job.status, reason: job.error_message, outputs };
}

/** Waits for the sweeper to have removed what killed workers left. */
async function untilNoWork(stack: Stack, state: string): Promise<void> {
	const s3 = s3ClientOf({ baseUrl: stack.baseUrl, state });
	const deadline = Date.now() + RUN_WITHIN_MS;
	for (;;) {
		const { Contents = [] } = await s3.send(
			new ListObjectsV2Command({ Bucket: "parley-media", Prefix: "work/" }),
		);
		if (Contents.length === 0) return;
		if (Date.now() > deadline) {
			complaints.push(`${Contents.length} objects are left under work/, such as ${Contents[0]?.Key}`);
			return;
		}
		await sleep(2000);
	}
}

function compare(peace: Run, storm: Run): void {
	const table: Record<string, number> = {};
	for (const job of hundredJobs(host, "")) {
		const before = peace.outcomes.get(job.id);
		const after = storm.outcomes.get(job.id);
		const what = `${job.kind} → ${after?.status}`;
		table[what] = (table[what] ?? 0) + 1;
		if (before?.status !== job.ends)
			complaints.push(`${job.id} (${job.kind}) ended ${JSON.stringify(before)} in peace`);
		if (after?.status !== job.ends || after.reason !== before?.reason)
			complaints.push(
				`${job.id} (${job.kind}) ended ${after?.status}: ${after?.reason}, not ${before?.reason}`,
			);
		for (const format of FORMATS)
			if (before?.outputs[format] !== after?.outputs[format])
				complaints.push(`${job.id} (${job.kind}): another ${format}`);
	}
	if (Math.abs(peace.audioSeconds - storm.audioSeconds) > 0.01)
		complaints.push(`${storm.audioSeconds} s of audio were counted, not ${peace.audioSeconds}`);
	console.table(table);
}

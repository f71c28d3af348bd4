import { readdirSync, readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { type Loopback, startLoopback } from "@parley/testing/loopback";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { call, finished, speechFixture } from "./batch-client.ts";

type Received = { headers: IncomingHttpHeaders; body: string };
type Deliveries = {
	items: { id: string; status: string; attempts: { status_code: number | null; error: string | null }[] }[];
};

const TOKEN = "a-token-nobody-may-see";
const received: Received[] = [];
const statuses: number[] = [];
let server: Loopback;
let url: string;

/** Answers with the statuses that a test has put there, and with 204 when none is left. */
beforeAll(async () => {
	server = await startLoopback(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
		response.writeHead(statuses.shift() ?? 204).end(request.headers.authorization);
	});
	url = `${server.url}/hook`;
});
afterAll(() => server.stop());

async function rotate(): Promise<string> {
	const { body } = await call<{ secret: string }>("POST", "/v1/batch/webhook-secret/rotate", {
		overlap_hours: 1,
	});
	return body.secret;
}

test("a job's end is told, told again after a failure, and sent once more on request, verified by two secrets", async () => {
	const older = await rotate();
	const newer = await rotate();
	statuses.push(503);
	const submitted = await call<{ job_id: string }>("POST", "/v1/batch/jobs", {
		input_base64: speechFixture("clip.wav").toString("base64"),
		input_filename: "clip.wav",
		notification_config: [
			{ url, contents: ["jobinfo", "transcript.txt"], auth_headers: [`Authorization: Bearer ${TOKEN}`] },
		],
	});
	expect(submitted.status, JSON.stringify(submitted.body)).toBe(202);
	const { job_id } = submitted.body;
	const job = await finished(job_id);
	expect(job.status).toBe("DONE");

	const path = `/v1/batch/jobs/${job_id}/deliveries`;
	const log = async () => (await call<Deliveries>("GET", path)).body.items[0];
	const within = { timeout: 60_000, interval: 500 };
	await expect.poll(async () => (await log())?.status, within).toBe("delivered");
	const delivery = await log();
	expect(delivery?.attempts).toMatchObject([
		{ status_code: 503, error: "The host answered with status 503" },
		{ status_code: 204, error: null },
	]);

	const again = await call("POST", `${path}/${delivery?.id}/redeliver`);
	expect(again.status).toBe(202);
	await expect.poll(async () => (await log())?.status, within).toBe("delivered");

	expect(received).toHaveLength(3);
	for (const { headers, body } of received) {
		expect(headers).toMatchObject({ "webhook-id": delivery?.id, authorization: `Bearer ${TOKEN}` });
		for (const secret of [older, newer]) {
			expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
				type: "job.completed",
				data: { job: { job_id }, "transcript.txt": expect.stringContaining("payment") },
			});
		}
	}
	expect(new Set(received.map(({ body }) => body)).size).toBe(1);

	const logs = join(inject("state"), "logs");
	const written = readdirSync(logs).map((name) => readFileSync(join(logs, name), "utf8"));
	const shown = JSON.stringify([job, await log(), ...received.map(({ body }) => body), ...written]);
	for (const secret of [TOKEN, older.slice(6), newer.slice(6)]) expect(shown).not.toContain(secret);
}, 120_000);

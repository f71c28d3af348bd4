import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep } from "@parley/dev-stack/processes/processes";
import { freePort, type Stack, startStack } from "@parley/dev-stack/stack";
import { startLoopback } from "@parley/testing/loopback";
import { afterAll, expect, test } from "vitest";
import { call, finished, speechFixture } from "../batch/batch-client.ts";

const state = mkdtempSync(join(tmpdir(), "parley-faults-"));
let stack: Stack | undefined;
afterAll(async () => {
	await stack?.stop();
	rmSync(state, { recursive: true, force: true });
});

const SHORT = "clip.wav";
const LONG = "minute.mp3";

test("after a power cut every accepted job ends DONE", async () => {
	const port = await freePort();
	stack = await startStack({ state, port, sweepEveryMs: 3000 });
	const options = { baseUrl: stack.baseUrl, key: stack.keys.batch_key };
	const accepted: string[] = [];
	const submit = async (body: object) => {
		const answer = await call<{ job_id: string }>("POST", "/v1/batch/jobs", body, options);
		expect(answer.status, JSON.stringify(answer.body)).toBe(202);
		accepted.push(answer.body.job_id);
	};
	const inline = (file: string) => ({
		input_base64: speechFixture(file).toString("base64"),
		input_filename: file,
	});

	// The source answers slowly, so that its job is cut off while it is being fetched.
	const slow = await startLoopback(async (_request, response) => {
		const audio = speechFixture(SHORT);
		response.write(audio.subarray(0, 1000));
		await sleep(3000);
		response.end(audio.subarray(1000));
	});

	await submit(inline(SHORT));
	await finished(accepted[0] ?? "", options);
	await Promise.all(
		[inline(LONG), inline(LONG), { input_url: `${slow.url}/speech.wav` }, inline(LONG), inline(SHORT)].map(
			submit,
		),
	);
	await sleep(1500);
	await submit(inline(LONG));
	const seen = await Promise.all(
		accepted.map((id) => call("GET", `/v1/batch/jobs/${id}`, undefined, options)),
	);
	await stack.kill();
	const before = seen.map(({ body }) => body.status);
	expect(before.filter((status) => status !== "DONE").length, String(before)).toBeGreaterThan(2);

	stack = await startStack({ state, port, sweepEveryMs: 3000 });
	const after = await Promise.all(accepted.map((id) => finished(id, options, 240_000)));
	expect(after.map(({ status, error }) => ({ status, error }))).toEqual(
		accepted.map(() => ({ status: "DONE", error: null })),
	);
	for (const id of accepted) {
		const text = await call<string>("GET", `/v1/batch/jobs/${id}/transcript?format=txt`, undefined, options);
		expect(text.body.length).toBeGreaterThan(3);
	}
	await slow.stop();
}, 420_000);

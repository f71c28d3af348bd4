import { env } from "cloudflare:workers";
import type { JobFeed } from "@parley/batch/events/job-feed";
import type { JobFeedMessage } from "@parley/contracts/batch/events";
import type { JobRow } from "@parley/db/batch/jobs";
import { expect, test } from "vitest";
import { outside } from "../../test/engine.ts";
import { createPipeline, insertJob, startMessage } from "../../test/pipeline.ts";
import { wav } from "../../test/wav.ts";
import { MAX_ATTEMPTS } from "../queue/consume.ts";

/** Collects what the feed of a job's organisation reports. */
async function listenTo({ organisationId }: JobRow): Promise<JobFeedMessage[]> {
	const feed = env.JOB_FEED.getByName(organisationId) as unknown as DurableObjectStub<JobFeed>;
	const { webSocket } = await feed.fetch("https://feed.internal/", { headers: { upgrade: "websocket" } });
	const messages: JobFeedMessage[] = [];
	webSocket?.addEventListener("message", ({ data }) => void messages.push(JSON.parse(String(data))));
	webSocket?.accept();
	return messages;
}

const statesOf = (messages: JobFeedMessage[]) =>
	messages.flatMap(({ event, data }) => (event === "job" ? [[data.status, data.progress]] : []));

test("listeners hear of each status of a job and of its progress", async () => {
	const pipeline = createPipeline(outside());
	const row = await insertJob({ audio: wav(3) });
	const messages = await listenTo(row);
	await pipeline.deliver([startMessage(row)]);
	await pipeline.drain();
	await expect
		.poll(() => statesOf(messages))
		.toEqual([
			["IN_PROGRESS", 0],
			["DECODING", 0],
			["POST_PROCESSING", 1],
			["DONE", 1],
		]);
});

test("listeners hear why a job failed", async () => {
	const { deliver } = createPipeline(outside());
	const row = await insertJob({ audio: wav(1), modelCode: "test/gone" });
	const messages = await listenTo(row);
	await deliver([startMessage(row)], MAX_ATTEMPTS);
	await expect
		.poll(() => messages.at(-1))
		.toMatchObject({
			event: "job",
			data: { job_id: row.jobId, status: "FAILED", error: { code: "model_unavailable" } },
		});
});
